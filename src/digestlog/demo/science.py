"""What the science magazine and the engineering site of Port Alder report."""

from digestlog.demo.story import Story

SCIENCE: tuple[Story, ...] = (
    Story(
        host="tidepool-review.example",
        path="/articles/eelgrass-carbon-ledger",
        title="An eelgrass meadow keeps better carbon accounts than we do",
        author="Dr Amara Quill",
        section="Ecology",
        hours=6,
        text="""
Under four metres of water off Gannet Point lies a meadow that has been burying carbon since before the town
had a name. A team from the Alder Marine Station has now pulled 28 cores from it, and the oldest layer they
reached was laid down about 1,900 years ago.

What surprised them was not how much carbon the mud held but how evenly. The meadow buried close to 80 grams
a square metre each year through warm centuries and cold ones. The rate halved only once, in the 1930s, when
wasting disease killed most of the eelgrass along this coast, and it took forty years to recover.

That lag matters to anyone who hopes to sell credits for planting meadows. "A newly planted bed looks
wonderful from a drone after three summers," says Ilse Varga, who led the coring. "In the mud, it has barely
begun."

The team also found the trace of anchors. Where boats moor on chains, circles of bare sand have lost in a
decade what took two centuries to store. Moorings with elastic lines, which do not scour the bottom, cost
about 900 more apiece, and the harbour has agreed to try thirty.
""",
    ),
    Story(
        host="tidepool-review.example",
        path="/articles/limpets-remember-home",
        title="How a limpet finds its way home in the dark",
        author="Felix Andersen",
        section="Behaviour",
        hours=12,
        text="""
Twice a day the limpets below Gannet Point leave the oval scars that they have ground into the rock, graze
for up to a metre and a half, and return to exactly the same spot, facing the same way. That they do so has
been known since Aristotle. How they do it has not.

The favourite answer was that they follow their own slime back. Noor Haddad tested it in the least glamorous
way possible: with a toothbrush. She scrubbed the trails of 120 limpets while they were out. Ninety-four
came home anyway, only a little later.

When she turned the slab of rock on which they were grazing by ninety degrees, however, most were lost. Her
reading is that limpets carry a rough sense of direction and distance and use the slime merely to correct
it, much as a walker counts steps in fog and is glad of a fence.

It is a great deal to ask of an animal with no brain to speak of. Haddad's next experiment needs a magnet,
and a calmer sea than she has had so far.
""",
    ),
    Story(
        host="tidepool-review.example",
        path="/articles/tide-gauge-notebooks",
        title="Volunteers rescue 112 years of tides from damp notebooks",
        author="Dr Amara Quill",
        section="Oceans",
        hours=20,
        text="""
Between 1871 and 1983 somebody in Port Alder wrote down the height of the tide four times a day. The
notebooks spent the next forty years in a cellar beneath the customs house. Now 640 volunteers have typed in
all of them, some 163,000 readings, and the record is open for anyone to use.

Each page was typed by three people who did not see one another's work. They disagreed on one figure in
fifty, mostly over a keeper whose ones and sevens are the same stroke. A second group settled those by
looking at the moon: the tide is so regular that a wrong digit stands out like a wrong note.

The result makes this one of the dozen longest sea-level records on the continent. It shows a rise of 1.4
millimetres a year until about 1960, and it joins smoothly to the modern gauge, where the figure is 3.6.

The keepers wrote in the margins, too. "Gale. Read from roof," says an entry of January 1953. The reading
was right to within two centimetres.
""",
    ),
    Story(
        host="tidepool-review.example",
        path="/articles/why-gulls-hate-violins",
        title="Gulls tolerate traffic, foghorns and drums, but not violins",
        author="Felix Andersen",
        section="Behaviour",
        hours=100,
        text="""
A fish market that wanted to be rid of gulls without harming them has ended up contributing to the
literature. Over eleven weeks researchers played 40 kinds of sound to the birds on its roof and counted how
many left and how soon they were back.

Recordings of hawks worked for two days. Foghorns, drums and a recording of the market's own manager
shouting made no difference whatever. High, wavering violin tones cleared the roof each time, and the effect
had not worn off when the money ran out.

The authors think that the sound resembles the begging call of chicks in distress, which adult gulls without
chicks find unpleasant to be near. They are careful to add that it may merely have been the violinist.
""",
    ),
    Story(
        host="signal-and-spanner.example",
        path="/2/bridge-bearing-explained",
        title="Why Port Alder's swing bridge is stuck open: the bearing, explained",
        author="Kit Lindqvist",
        section="Engineering",
        hours=9,
        text="""
Port Alder's Sallow swing bridge has been stuck open since six this morning, and North Quay is cut off from
the town centre by road. Engineers say that a pivot bearing failed while the bridge was closing behind a
dredger. Here is what that means, and why nobody can just push it.

The span weighs 340 tonnes and turns on a single bronze disc about the size of a café table. Grease is
pumped between the disc and a steel cap. If a groove wears and the film of grease breaks, bronze meets
steel, the metals tear at each other, and the whole thing welds itself a little. That was the bang which
keeper Tomas Ferrel heard.

The span stopped eleven degrees short. Eight jacks can lift it by the twenty millimetres needed to slide the
old disc out, but only while the river is slack, which gives two windows of fifty minutes a day. Hence
council engineer Ines Castellan's "two tides".

The replacement bearing was cast as a spare in 1987 and is coming by lorry. A vibration sensor for 200 would
have heard this coming weeks ago; the inspection in the spring asked for one.
""",
    ),
    Story(
        host="signal-and-spanner.example",
        path="/2/buoys-that-gossip",
        title="Buoys that gossip: a mesh network for less than a phone contract",
        author="Priya Nandakumar",
        section="Networks",
        hours=8,
        text="""
Twenty-three buoys in the Alder estuary now measure wave height, temperature and salt, and hand one another
the results until one of them is near enough to shore to pass them on. There is no satellite and no
subscription. The monthly bill for the whole network is 19, most of which is electricity for the receiver in
the lighthouse.

The trick is patience. Each buoy wakes for two seconds every ten minutes, tells its neighbours what it knows
and what it has heard, and goes back to sleep. A reading takes up to forty minutes to come ashore. For a
supertanker that would be useless; for oyster farmers it is plenty.

The group published everything, including a frank list of failures. Three buoys were eaten by weather, one
by a seal, and one was rescued by a well-meaning family who took it home to Mossford, from where it kept
reporting a remarkably calm sea.

Plans and firmware are free to copy. Parts for one buoy come to about 85.
""",
    ),
    Story(
        host="signal-and-spanner.example",
        path="/2/ticket-machine-from-1994",
        title="Keeping a ticket machine from 1994 alive, and why it is worth it",
        author="Kit Lindqvist",
        section="Repair",
        hours=15,
        text="""
The ticket machine on North Quay pontoon runs a processor that was old when the machine was new. It has sold
2.1 million tickets. Last month its maker, long since bought by a maker of something else, announced the end
of spare parts and offered a replacement for 31,000.

Ferry engineer Oskar Bly opened the cabinet instead. The fault was a leaking capacitor that costs 40 cents.
While he was there he read out the chips, worked out how the printer is driven, and put a small modern board
beside the old one, listening. If the old board dies, the new one takes over and nobody on the quay will
notice.

It took him nine evenings. The part that he is proudest of is the manual: sixty pages with photographs,
written so that somebody who has never met him can mend the machine in 2040.

There is an argument that this is a waste of a skilled man's time. But the new machine would have needed a
contract, a network link and an account, and it would have been obsolete in eight years. The old one needs a
capacitor every thirty.
""",
    ),
    Story(
        host="signal-and-spanner.example",
        path="/2/library-catalogue-one-file",
        title="The library moved its catalogue into a single file",
        author="Priya Nandakumar",
        section="Software",
        hours=34,
        text="""
When the supplier of Port Alder library's catalogue trebled the price, librarian Samuel Oyelaran asked what
the catalogue actually was. The answer was 74,000 records, four megabytes of loans, and a search box. It
fitted into one SQLite file with room to spare.

The move took three weekends. Most of that went on authors: the old system knew eleven spellings of
Dostoevsky and treated them as eleven people. A volunteer who reads Russian merged them over a pot of tea.

Each night the file is copied to the town hall and to a memory stick in the librarian's bicycle bag.
Restoring it has been rehearsed twice. "With the old system we had a service agreement," says Oyelaran. "Now
we have the data."
""",
    ),
)
