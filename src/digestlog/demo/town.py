"""What the newspaper, the council and the business journal of Port Alder report."""

from digestlog.demo.story import Story

TOWN: tuple[Story, ...] = (
    Story(
        host="harbour-times.example",
        path="/news/swing-bridge-stuck-open",
        title="Swing bridge stuck open, cutting Port Alder in two",
        author="Maren Oduya",
        section="News",
        hours=10,
        text="""
The Sallow swing bridge in Port Alder has been stuck open since shortly before six this morning, cutting
road traffic between the town centre and North Quay. About 4,000 people live on the far side of the river,
and for them the only way round by car is the 31-kilometre detour through Mossford.

Engineers say a pivot bearing failed while the bridge was closing behind the dredger Patience. The span
stopped eleven degrees short of the road and could not be moved by hand. "We heard a bang like a dropped
skip, and then nothing at all," said bridge keeper Tomas Ferrel, who was alone in the cabin.

The town council has put on a free passenger ferry from the fish steps every twenty minutes, and the
ambulance service has moved one crew to North Quay fire station for as long as the bridge is out. Alder
Primary opened an hour late so that teachers could cross.

A replacement bearing exists, but it is in a warehouse four hundred kilometres away. Council engineer Ines
Castellan expects it tomorrow by lorry and says that fitting it will take "two tides, if everything is kind
to us". Until then she asks drivers not to wait at the barrier.

The 1911 bridge was last overhauled nine years ago. An inspection in the spring recommended renewing the
bearing within eighteen months; the money was in next year's budget.
""",
    ),
    Story(
        host="harbour-times.example",
        path="/politics/library-hours-saved",
        title="Library hours saved as council passes budget by one vote",
        author="Jonah Whitlock",
        section="Politics",
        hours=16,
        text="""
Port Alder's library will stay open six days a week after councillors passed next year's budget by eleven
votes to ten, a little before midnight. The plan to close the building on Mondays and Thursdays was dropped
in the last quarter of an hour.

The turn came from an unlikely side. Councillor Edda Brandt, who has voted against every budget since she
was elected, offered her support if the 38,000 saved by the closure were taken from the fund for a new civic
website instead. "We have a website," she told the chamber. "We have one library."

The reading room has become more than a place for books. Staff counted 212 people a day last winter, a third
of whom came chiefly to be warm, and the job club that meets there on Thursdays says it helped 64 members
into work.

Mayor Leopold Achterberg said he was relieved but warned that the decision buys only a year. The council
still has to find 1.2 million before the following spring, and parking charges, which were left untouched
last night, will be the first thing on the table.
""",
    ),
    Story(
        host="harbour-times.example",
        path="/news/night-ferry-returns",
        title="Night ferry to Gannet Island returns after four years",
        author="Maren Oduya",
        section="News",
        hours=18,
        text="""
The last boat to Gannet Island will again leave at 23:15 instead of 19:40. The operator, Alder Lines,
confirmed that the night ferry returns on the first Friday of next month, four years after it was withdrawn
for want of crew.

For the island's 190 residents the change is larger than a timetable. "My daughter has never seen the end of
a film in a cinema," said Petra Lund, who keeps the island shop. Two families told the Harbour Times that
they had postponed moving to the mainland when they heard the news.

The boat will run on Fridays and Saturdays only, with a crew of three. Alder Lines trained five deckhands
through the harbour apprenticeship that began last year, and the island council guarantees to pay for forty
seats a night whether or not they are filled.

Fares stay as they are: 6.20 for adults, nothing for islanders under eighteen, and one dog for every person.
""",
    ),
    Story(
        host="harbour-times.example",
        path="/news/school-heated-by-the-harbour",
        title="The school that will be heated by the harbour",
        author="Sunniva Pike",
        section="Environment",
        hours=21,
        text="""
When the boilers at Alder Primary are switched off in June they will not be switched on again. From autumn
the school's 340 pupils will be kept warm by the water they can see from the playground.

A heat pump in a shed by the slipway draws seawater through a titanium exchanger and returns it about three
degrees cooler. Even in February the harbour rarely falls below six degrees, which is warm enough to be
worth the trouble. The designers expect one unit of electricity to give three and a half of heat.

The project cost 610,000, of which the county paid half. Head teacher Wilhelmina Osei says that the savings
on oil will pay for a music teacher two days a week. The mussels were the surprise: the first test intake
was blocked by them within a month, and a pupil in year five suggested the rotating brush that now keeps the
grille clean.

Her name, Ottilie Marsh, is painted on the pump.
""",
    ),
    Story(
        host="harbour-times.example",
        path="/culture/what-to-see-at-lantern-night",
        title="What to see at Lantern Night, hour by hour",
        author="Cosmo Bright",
        section="Culture",
        hours=-9,
        text="""
Lantern Night begins at dusk and, for the first time, ends at a civilised hour. Here is how to see the best
of it without standing in the queue for chestnuts all evening.

Start at the rope works at six, where the glass-blowers open their doors and will let you watch a float
lantern being made from gather to hook. At seven the schools' procession leaves the market; stand on the
church steps and not in Cable Street, where the trombones have to turn round.

The boats light up at eight. With the swing bridge out of service the parade will stay in the outer basin
this year, so the sea wall is the place to be, and there are 600 metres of it. Bring a cushion. The choir of
the Seamen's Mission sings from the deck of the tug Constance at half past.

Everything stops at ten with the bell of St Brannoc's. If it rains, the procession goes ahead and the
trombones do not.
""",
    ),
    Story(
        host="harbour-times.example",
        path="/business/crab-boats-agree-rest-month",
        title="Crab boats agree to a month of rest",
        author="Jonah Whitlock",
        section="Business",
        hours=76,
        text="""
All seventeen crab boats working out of Port Alder will leave their pots ashore for the whole of next March.
It is the first closed month the fleet has ever agreed to, and nobody made them do it.

Landings have fallen for five years in a row, from 410 tonnes to 265. Skippers blamed the weather, then the
divers, then each other. What changed their minds was a winter of measuring: every boat carried a gauge and
a notebook, and the notebooks showed that more than half of the hens caught in March were about to spawn.

The buyers have come along with them. Alder Shellfish will pay a tenth more in April for crab from boats
that kept the rest, and the harbour waives berth fees for the month. "It is cheaper than a lawyer," said
skipper Benedikt Rowe.
""",
    ),
    Story(
        host="harbour-times.example",
        path="/people/the-last-lock-keeper",
        title="The last lock keeper hands in her keys",
        author="Sunniva Pike",
        section="People",
        hours=150,
        text="""
Agnes Tolliver has opened Mossford lock about ninety thousand times. She knows because she wrote each one
down: date, boat, level, and a remark where one was deserved. On Friday she hands in the keys, and a motor
will do the work.

She came to the lock at nineteen, to help her uncle for a summer, and stayed for forty-one years. The
remarks are the best part of her forty-three ledgers. "Honeymoon. Already arguing." "Swan would not be
moved. Waited." "Same man, different wife."

The county archive has asked for the books and will scan them next year. Hydrologists want the levels, which
were taken by eye from the same brass gauge twice a day without a gap. Tolliver is keeping the gauge.

She will not move away. The cottage is hers for life, and she has already found a fault in the motor.
""",
    ),
    Story(
        host="port-alder-council.example",
        path="/news/sallow-swing-bridge-closed",
        title="Sallow swing bridge closed to all traffic until further notice",
        author="Highways Team",
        section="Transport",
        hours=11,
        text="""
The Sallow swing bridge is stuck open and closed to all traffic between Port Alder town centre and North
Quay. A pivot bearing failed at 05:52 this morning while the bridge was closing behind a dredger. Nobody was
hurt.

Please use the 31-kilometre diversion through Mossford, which is signed from both ends of Harbour Road. Do
not wait at the barrier: the bridge will not reopen today.

A free passenger ferry runs every twenty minutes from the fish steps to North Quay pontoon, from 06:30 until
23:00. Wheelchairs and bicycles are carried. An ambulance crew is stationed at North Quay fire station while
the bridge is out of service.

A replacement bearing is on its way by lorry and is expected tomorrow. Fitting it will take two tides. Our
engineer Ines Castellan will answer questions in the Guildhall at seven this evening.
""",
    ),
    Story(
        host="port-alder-council.example",
        path="/news/cannery-conversion-decision",
        title="Old cannery: 52 homes approved, chimney to stay",
        author="Planning Office",
        section="Planning",
        hours=7,
        text="""
The planning committee has approved the conversion of the former Brandt & Sons cannery on Salt Lane into 52
homes, a nursery and four workshops. Eighteen of the homes will be let at social rents, three more than in
the application.

The committee attached two conditions of note. The brick chimney, which the developer had asked to take
down, must be repaired and kept, because swifts nest in it. The public path along the water may not be gated
at night.

The committee received 214 letters. Most concerned parking: the scheme provides one space for every two
homes and a shared pool of six electric cars. Members accepted the county's view that Salt Lane is nine
minutes' walk from the station.

Work may begin once drainage plans have been agreed, which we expect in about ten weeks.
""",
    ),
    Story(
        host="port-alder-council.example",
        path="/news/bin-collection-consultation",
        title="Tell us what you think: food waste every week, other bins every three",
        author="Waste and Streets",
        section="Environment",
        hours=0,
        dated="date",
        text="""
We are asking every household what it thinks of a new rhythm for the bins. Food waste would be collected
each week in a lidded caddy, paper and packaging every two weeks, and everything else every three.

A trial in 600 homes on Gannet Road cut the waste sent for burning by 41 per cent. It also found problems
that we want to solve first: families with children in nappies ran out of room, and gulls learned to open
the first model of caddy in nine days. The second model has a handle that locks.

The consultation is open for six weeks. Paper forms are at the library and on the fish steps ferry, and our
staff will be in the market on both Saturdays with caddies to try.
""",
    ),
    Story(
        host="port-alder-council.example",
        path="/news/harbour-road-resurfacing",
        title="Harbour Road resurfacing moves to nights",
        author="Highways Team",
        section="Transport",
        hours=54,
        text="""
Resurfacing of Harbour Road between the station and the ice house will be done at night, from 20:00 to
05:00, after traders told us that closing it by day would cost them the season's best fortnight.

The work lasts twelve nights. Noisy planing stops at 23:00, and residents within fifty metres can ask for a
hotel room for the two nights on which the machine passes their door. Seventy have done so.

The new surface is a porous mix that should end the puddle outside the ice house, first reported to the
council in 1974. Buses 2 and 5 will stop in Cable Street instead.
""",
    ),
    Story(
        host="alder-valley-business.example",
        path="/boatyard-electric-pilot-boats",
        title="Pike's boatyard wins order for six electric pilot boats",
        author="Ruth Calloway",
        section="Industry",
        hours=4,
        text="""
Pike & Daughters, the boatyard that has repaired Port Alder's trawlers since 1926, has won the largest order
in its history: six battery-driven pilot boats for three northern harbours, worth 14 million over four
years.

The yard beat two much larger bidders. Managing director Hedda Pike says that the reason sits in the slip: a
prototype, built in the evenings from a cancelled hull, that has carried the town's own pilots for eleven
months. It has missed two sailings, one because of a rope in the propeller and one because somebody forgot
to plug it in.

Twenty-two jobs will be added to the present forty-eight. Finding people is harder than finding steel, Pike
says, and the yard will pay apprentices' rent in their first year.

Not everything is settled. The yard needs a stronger grid connection by next autumn, and the network
operator's queue for one is at present fourteen months.
""",
    ),
    Story(
        host="alder-valley-business.example",
        path="/mossford-creamery-buys-itself",
        title="Mossford Creamery is bought by the people who milk for it",
        author="Idris Vale",
        section="Food",
        hours=15,
        text="""
The 63 farms that supply Mossford Creamery have bought it. They signed last night, two days before the
owners' deadline, and ended eight months in which a sale to a supermarket supplier looked certain.

Each farm puts in between 4,000 and 60,000 according to its milk. The rest comes from a regional bank and
from 1,100 customers, who bought shares in units of fifty at the cheese counter. They will be paid interest
in cheese if they like, and 70 per cent have said that they would.

Chair Branwen Hale promises no miracles. The creamery lost money in three of the last five years, mostly on
a yoghurt line that will close. What made the sums work was whey: a neighbour that makes sports drinks will
take all of it, and pay for something the creamery used to pay to be rid of.
""",
    ),
    Story(
        host="alder-valley-business.example",
        path="/counter-that-came-back",
        title="The bank counter that came back, in a chemist's shop",
        author="Ruth Calloway",
        section="Retail",
        hours=29,
        text="""
Two years after Port Alder's last bank branch closed there is a counter again. It is two metres wide, stands
between the cough syrup and the reading glasses in Farrow's chemist's shop, and is shared by four banks that
take a weekday each.

Takings are the reason. A survey by the chamber of trade found that shops were driving to the county town
twice a week to pay in cash, at an average cost of 90 minutes and a closed door. Seventeen had begun to
refuse cash altogether.

In its first month the counter handled 1,340 visits. Fridays, which no bank wanted, have gone to the credit
union, and are the busiest day of all.
""",
    ),
)
