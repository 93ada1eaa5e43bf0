"""What Port Alder's blogs, sports pages, reviewers and French neighbours write."""

from digestlog.demo.story import Story

LEISURE: tuple[Story, ...] = (
    Story(
        host="slow-lantern.example",
        path="/notes/a-year-of-paper-logs",
        title="A year of writing things down by hand",
        author="Hester Lowe",
        section="Notes",
        hours=7,
        text="""
For a year I have kept a log on paper, one line for each thing that I did and one for each thing I learned,
with the time in the margin. The rules were few: write at once, never tear out a page, never make it pretty.

I expected to remember more. In fact I remember about as much as before, but I argue less, because I can
look. On 3 May I was certain that the plumber had come in March. He came in January, and it was raining, and
he had a cold.

The unexpected gift is that a log has no feed. It does not tell me what I may also like. It ends where I
stopped, and the next line is blank.

I am on the fourth notebook. I have begun to index them, which my sister says is where it always goes wrong.
""",
    ),
    Story(
        host="slow-lantern.example",
        path="/notes/mending-the-shortwave",
        title="Mending my grandfather's shortwave",
        author="Hester Lowe",
        section="Notes",
        hours=0,
        dated="date",
        text="""
The set had been silent for twenty years and smelled of warm dust the moment I plugged it in. A hum, then
nothing. My grandfather listened to weather reports on it for seas that he would never sail.

With the back off, the trouble was easy to see, once I had stopped admiring the soldering. Two paper
capacitors had swollen like loaves. I replaced them with modern ones a quarter of the size and, feeling
foolish, tucked them inside the old paper sleeves so that it still looks right.

At ten in the evening I found a station reading out numbers, another selling carpets, and then, very faint,
a woman giving wind and visibility for Gannet, Sallow and Outer Banks. I wrote it down. Force five, backing
west, good.
""",
    ),
    Story(
        host="slow-lantern.example",
        path="/notes/walking-the-sea-wall",
        title="Walking the sea wall from end to end",
        author="Hester Lowe",
        section="Notes",
        hours=18,
        dated="none",
        text="""
The sea wall at Port Alder is 2,940 of my paces long. I have walked it in every month now, and I can report
that nobody else walks the whole of it. People turn back at the second steps, where the smell of the
smokehouse ends.

Past there it belongs to turnstones and to one man who plays the cornet, badly and with great feeling, to
the open water. We nod. In November I asked him why here. He said that his flat has thin walls and the sea
does not complain.

At the far end somebody has scratched a line and a year for each great flood. The highest is above my head.
The newest is not the highest, and I find I take more comfort in that than the figures allow.
""",
    ),
    Story(
        host="north-quay-sport.example",
        path="/football/rovers-win-at-last",
        title="Rovers win at last, and half the crowd came by ferry",
        author="Dev Marlowe",
        section="Football",
        hours=1,
        text="""
North Quay Rovers 2, Mossford Athletic 1. It had been 203 days since Rovers last won at home, and on the
evening when it finally happened half of the crowd had to come by boat.

With the bridge out, kick-off was put back by forty minutes and the visitors' kit arrived in a fishing
crate. If that unsettled Mossford it did not show: they led after nine minutes, when a corner was missed by
everyone, including its taker's brother.

Rovers' answer was eighteen-year-old Cass Ibekwe, who equalised with a header before half-time and won the
penalty from which Leo Strand scored in the 88th minute. Strand had missed his last three. "I closed my
eyes," he said. "I would recommend it."

Rovers climb to fourteenth, outside the bottom three for the first time since October.
""",
    ),
    Story(
        host="north-quay-sport.example",
        path="/rowing/gig-crew-crosses-the-strait",
        title="Women's gig crew crosses the strait in record time",
        author="Anneke Moss",
        section="Rowing",
        hours=14,
        text="""
Six rowers and a cox from the North Quay gig club have crossed the Outer Strait in four hours, eleven
minutes and some seconds that they were too tired to read. It is nineteen minutes better than the record,
which had stood since 1998.

The crew, aged from 24 to 61, had waited eight days for a window. They set out at 03:40 to catch the last of
the ebb, and met fog halfway. Cox Marguerite Dunne steered by compass and by the engine note of the guard
boat, which she had asked to stay exactly to the south.

They ate rice pudding every forty minutes. At the far side a brass band had been arranged for the afternoon,
and so there was nobody on the beach but a man with a spaniel, who asked whether they were lost.

The crossing raised 8,700 for the lifeboat.
""",
    ),
    Story(
        host="gull-street.example",
        path="/reviews/the-keepers-daughter",
        title="The Keeper's Daughter: a play that trusts the dark",
        author="Cosmo Bright",
        section="Theatre",
        hours=6,
        text="""
For the first eleven minutes of The Keeper's Daughter at the Ropewalk Theatre there is no light but a single
turning beam. It passes over the stage every nine seconds. You see a table, then an overturned chair, then a
girl who was not there before. It is the best opening I have sat through in years.

Ana Silvestre's play takes a true incident, the winter of 1889 when the keeper of Gannet light fell ill and
his daughter kept the lamp alone for 23 nights, and declines to make a heroine of her. Her Judith is bored,
funny, and frightened of the wrong things.

The second half explains too much. A visiting inspector arrives to say what we had already understood. But
Mabel Okoro, who is on stage throughout, makes even his questions interesting by the way that she does not
answer them.

Until the 28th. Sit on the left, where the beam comes last.
""",
    ),
    Story(
        host="gull-street.example",
        path="/features/salt-and-vinegar-records",
        title="Salt & Vinegar: the chip shop that became a record shop & kept the fryer",
        author="Imani Frost",
        section="Music",
        hours=16,
        text="""
You smell the shop before you hear it. Salt & Vinegar sold fish and chips on Gull Street for 51 years; when
its owner retired, her nephew Ray Pellow moved his records in and could not bring himself to take the fryer
out.

So on Fridays it is lit. Customers flick through soul & reggae with one clean hand. Pellow sleeves every
record in plastic, twice, and says that sales double on the evenings when there is haddock.

Last month he began to record the bands that play in the corner by the freezer, straight to tape, one take
each. The first pressing, 200 copies of the Sallow Street Stompers, went in an afternoon. You can hear the
timer go at the end of side one. They kept it in.
""",
    ),
    Story(
        host="lighthouse-weather.example",
        path="/bulletins/gale-then-clear",
        title="Gale before dawn, then the clearest day of the month",
        author="Gannet Light",
        section="Weather",
        hours=2,
        text="""
A small, quick low passes north of Gannet Point tonight. Expect south-westerly winds of force seven from
about two in the morning, gale eight for a time in the strait, and rain that is over by breakfast.

Behind it the air is dry and very clean. From the lamp gallery we should see the hills beyond Mossford, 58
kilometres off, for the first time in five weeks. Winds fall light by noon and stay so through the evening.

High water at Port Alder is 4.9 metres, with a surge of perhaps thirty centimetres on top. That is below the
fish steps, but move anything that you left on them.
""",
    ),
    Story(
        host="allotment-club.example",
        path="/diary/beans-after-the-frost",
        title="What to do with beans after a late frost",
        author="Walter Ng",
        section="Garden",
        hours=11,
        text="""
Four degrees of frost on the night of the committee's spring supper: nobody was at home to cover anything,
and by morning the runner beans on the lower plots were black to the soil. Before you dig them up, wait.

Beans that had two pairs of leaves keep buds below the ground. Of the thirty plants that I left alone last
year, nineteen came again within twelve days, and they cropped only a week behind those I sowed afresh. Cut
the dead part off cleanly, water in the morning and never at night, and lay fleece on them till the wind
changes.

The potatoes will be cross but well. The courgettes are gone. There are forty spare seedlings on the trestle
by plot nine; take two, and write your name on the sheet.
""",
    ),
    Story(
        host="petit-phare.example",
        path="/recits/la-boulangere-du-quai",
        title="La boulangère du quai traverse la rivière à la rame",
        author="Solène Kerbrat",
        section="Récits",
        hours=5,
        lang="fr",
        text="""
Depuis que le pont tournant de Port Alder est bloqué, Jeanne Morvan livre son pain en barque. À cinq heures
et quart, elle charge quatre-vingts baguettes et douze brioches sous une bâche, détache l’amarre et traverse
la Sallow en sept minutes, quand le courant le veut bien.

Sur l’autre rive, à North Quay, une file l’attend déjà. On y discute plus que d’habitude. « Avant, les gens
prenaient leur pain et filaient, dit-elle. Ce matin, un monsieur m’a aidée à porter les paniers et m’a
raconté toute son enfance. »

Elle a appris à ramer avec son père, pêcheur à Douarnenez, et n’avait pas touché un aviron depuis vingt ans.
Ses mains s’en souviennent, son dos aussi.

Le pont sera réparé dans quelques jours. Jeanne Morvan songe à garder la barque pour le dimanche.
""",
    ),
    Story(
        host="petit-phare.example",
        path="/culture/le-cinema-rouvre",
        title="Le cinéma du port rouvre avec un seul projecteur et cent vingt bénévoles",
        author="Bastien Le Goff",
        section="Culture",
        hours=19,
        lang="fr",
        text="""
Fermé depuis six ans, le Neptune rouvrira ses portes vendredi. La salle n’a plus que quatre-vingt-dix
fauteuils au lieu de deux cents, mais ils viennent tous du même théâtre, et ils sont du même rouge, ce qui
n’était jamais arrivé.

L’association qui l’a sauvé compte cent vingt bénévoles. Les uns ont refait l’électricité, les autres ont
gratté, sous la peinture, une fresque de sirènes que personne ne connaissait. Le projecteur, lui, a été
trouvé dans une école, en parfait état, sous une housse marquée « ne pas jeter ».

Le premier film sera choisi par tirage au sort parmi les propositions des habitants. La présidente, Odile
Marchand, avoue craindre un peu le résultat : sur trois cents bulletins, on compte déjà quarante fois le
même film de requins.
""",
    ),
)
