"""The categories of someone who has not written any: a general digest, in English and French."""

from __future__ import annotations

from dataclasses import dataclass

from digestlog.core.digest import Category
from digestlog.core.own_categories import keywords_of
from digestlog.core.settings import Words


@dataclass(frozen=True, slots=True)
class _Starter:
    """A category whose name and description follow the language; its keywords are always in both.

    Those of the language come first: a web search asks for the first ones.
    """

    name: Words
    description: Words
    english: str
    french: str

    def category(self, language: str) -> Category:
        both = Words(self.english, self.french), Words(self.french, self.english)
        keywords = keywords_of([words.of(language) for words in both])
        return Category(self.name.of(language), self.description.of(language), keywords)


def starter(language: str) -> tuple[Category, ...]:
    """The starter set in a language."""
    return tuple(one.category(language) for one in _STARTERS)


_STARTERS = (
    _Starter(
        Words("World", "Monde"),
        Words(
            "Wars, diplomacy and events in other countries",
            "Guerres, diplomatie et événements dans les autres pays",
        ),
        """international, foreign minister, diplomacy, diplomat, ambassador, embassy, summit, treaty,
        sanctions, united nations, nato, european union, war, ceasefire, truce, peace talks, troops, army,
        soldiers, missile, drone strike, airstrike, shelling, frontline, invasion, rebels, insurgents,
        militia, hostages, refugees, asylum seekers, humanitarian aid, border crossing, ukraine, russia,
        kremlin, china, beijing, taiwan, israel, gaza, palestinians, iran, syria, sudan, north korea""",
        """guerre, cessez-le-feu, trêve, armée, soldats, frappe, bombardement, diplomatie, ambassadeur,
        sommet, traité, onu, otan, union européenne, réfugiés, otages, coup d'état, russie, chine,
        moyen-orient""",
    ),
    _Starter(
        Words("Politics", "Politique"),
        Words(
            "Government, parliament, elections and the making of laws",
            "Gouvernement, parlement, élections et fabrique des lois",
        ),
        """government, parliament, congress, senate, senator, lawmaker, legislator, prime minister,
        president, chancellor, cabinet, minister, white house, election, ballot, referendum, voters,
        turnout, campaign, candidate, polls, coalition, opposition, party leader, democrats, republicans,
        conservatives, liberals, labour, greens, far right, bill, legislation, amendment, veto,
        constitution, supreme court, impeachment, corruption inquiry, resignation""",
        """gouvernement, assemblée nationale, sénat, député, sénateur, premier ministre, président, ministre,
        élection, scrutin, électeurs, candidat, sondage, majorité, parti, extrême droite, gauche, droite,
        projet de loi, réforme, remaniement, motion de censure""",
    ),
    _Starter(
        Words("Business", "Économie"),
        Words(
            "Companies, markets, work and the economy",
            "Entreprises, marchés, travail et économie",
        ),
        """economy, economist, inflation, recession, growth, interest rates, central bank, federal reserve,
        bond, stock market, shares, investors, shareholders, dividend, profit, revenue, earnings,
        quarterly results, merger, takeover, acquisition, ipo, bankruptcy, chief executive, company, firm,
        manufacturer, factory, retailer, supplier, supply chain, exports, imports, tariffs, trade deal,
        oil price, currency, dollar, euro, jobs, layoffs, unemployment, wages, trade union, strike, taxes,
        budget deficit, mortgage, insurance""",
        """entreprise, marchés, bourse, actionnaires, investisseurs, bénéfice, chiffre d'affaires,
        banque centrale, taux d'intérêt, croissance, récession, faillite, rachat, usine, licenciements,
        chômage, salaires, syndicat, grève, impôts, dette, commerce, pouvoir d'achat""",
    ),
    _Starter(
        Words("Technology", "Technologies"),
        Words(
            "Computers, software, the internet and artificial intelligence",
            "Ordinateurs, logiciels, internet et intelligence artificielle",
        ),
        """technology, computer, software, hardware, internet, web, website, browser, app, smartphone,
        android, iphone, laptop, chip, processor, semiconductor, cloud, data centre, server, database,
        api, open source, linux, programming, programmer, developer, code, github, framework, algorithm,
        artificial intelligence, machine learning, language model, chatbot, neural network, robot,
        automation, startup, social media, cybersecurity, hackers, malware, ransomware, data breach,
        vulnerability, encryption, password, privacy, video game, console, virtual reality,
        electric vehicle, battery""",
        """technologie, informatique, ordinateur, logiciel, numérique, téléphone, puce, réseau social,
        intelligence artificielle, apprentissage automatique, algorithme, données, cybersécurité,
        piratage, logiciel libre, développeur, jeu vidéo""",
    ),
    _Starter(
        Words("Science", "Sciences"),
        Words(
            "Research and discoveries, from particles to galaxies",
            "Recherche et découvertes, des particules aux galaxies",
        ),
        """science, scientist, researcher, study finds, discovery, experiment, laboratory, peer review,
        physics, physicist, particle, quantum, chemistry, molecule, biology, biologist, cell, protein,
        gene, genome, dna, evolution, species, fossil, dinosaur, palaeontology, archaeology,
        archaeologist, anthropology, geology, volcano, earthquake, astronomy, astronomer, telescope,
        galaxy, planet, exoplanet, asteroid, comet, moon, orbit, spacecraft, satellite, rocket launch,
        nasa, mathematics, mathematician, theorem, neuroscience""",
        """chercheur, scientifique, découverte, laboratoire, physique, chimie, biologie, génétique,
        évolution, fossile, archéologie, géologie, séisme, astronomie, télescope, planète, étoile, fusée,
        espace, mathématiques""",
    ),
    _Starter(
        Words("Health", "Santé"),
        Words(
            "Medicine, illness, care and how to stay well",
            "Médecine, maladies, soins et bien-être",
        ),
        """health, medicine, medical, doctor, physician, nurse, surgeon, surgery, hospital, clinic,
        emergency room, patient, diagnosis, symptoms, treatment, therapy, drug, prescription, vaccine,
        vaccination, clinical trial, disease, illness, infection, virus, bacteria, antibiotics, flu,
        covid, measles, outbreak, epidemic, pandemic, cancer, tumour, diabetes, obesity, heart attack,
        stroke, blood pressure, dementia, mental health, depression, anxiety, addiction, pregnancy, birth,
        ageing, sleep, diet, nutrition, exercise, public health""",
        """santé, médecin, infirmier, hôpital, urgences, maladie, traitement, médicament, vaccin, épidémie,
        grippe, diabète, chirurgie, santé mentale, grossesse, alimentation, sommeil, soins""",
    ),
    _Starter(
        Words("Environment", "Environnement"),
        Words(
            "Climate, nature, weather and energy",
            "Climat, nature, météo et énergie",
        ),
        """environment, climate, climate change, global warming, emissions, carbon dioxide, greenhouse gas,
        methane, fossil fuels, coal, renewable energy, solar panels, wind farm, nuclear plant, power grid,
        pollution, air quality, plastic waste, recycling, pesticides, biodiversity, wildlife, habitat,
        conservation, endangered, extinction, forest, deforestation, river, ocean, coral reef, fisheries,
        glacier, sea level, arctic, drought, heatwave, wildfire, flood, storm, hurricane, rainfall,
        weather forecast, farming, soil""",
        """environnement, climat, réchauffement, émissions, gaz à effet de serre, énergies renouvelables,
        éoliennes, panneaux solaires, déchets, biodiversité, faune, forêt, océan, sécheresse, canicule,
        incendie, inondation, tempête, météo, agriculture, eau""",
    ),
    _Starter(
        Words("Culture", "Culture"),
        Words(
            "Books, film, music, art and ideas",
            "Livres, cinéma, musique, arts et idées",
        ),
        """culture, arts, book, novel, author, writer, poet, poetry, publisher, literature, library, film,
        movie, cinema, director, screenplay, actor, actress, oscars, box office, television, series,
        streaming, documentary, podcast, music, musician, album, song, singer, band, concert, orchestra,
        opera, jazz, theatre, playwright, dance, ballet, museum, gallery, exhibition, painter, painting,
        sculpture, photography, architecture, design, fashion, heritage, festival, comedy, philosophy,
        history""",
        """livre, roman, écrivain, auteur, poésie, littérature, cinéma, réalisateur, acteur, actrice, série,
        musique, chanson, chanteuse, théâtre, danse, musée, exposition, peintre, photographie, patrimoine,
        spectacle, philosophie""",
    ),
    _Starter(
        Words("Sport", "Sport"),
        Words(
            "Matches, races, teams and athletes",
            "Matchs, courses, équipes et athlètes",
        ),
        """sport, football, soccer, premier league, champions league, world cup, rugby, six nations, cricket,
        tennis, grand slam, wimbledon, golf, basketball, nba, baseball, american football, nfl,
        ice hockey, athletics, marathon, sprint, swimming, cycling, tour de france, formula one,
        grand prix, boxing, skiing, olympic games, paralympics, medal, championship, tournament,
        league table, final, semi-final, match, fixture, kick-off, goal, penalty, striker, goalkeeper,
        midfielder, defender, coach, squad, transfer window, referee, stadium, fans, athlete, injury,
        victory, defeat, doping""",
        """ligue, coupe du monde, championnat, tournoi, finale, équipe, joueur, entraîneur, sélectionneur,
        gardien, arbitre, stade, supporters, médaille, jeux olympiques, athlétisme, cyclisme, natation,
        ski, victoire, défaite""",
    ),
    _Starter(
        Words("Local life", "Vie locale"),
        Words(
            "The town and its people: streets, schools, housing, police and neighbours",
            "La ville et ses habitants : rues, écoles, logement, police et voisins",
        ),
        """local, town, village, city council, councillor, mayor, town hall, neighbourhood, residents,
        neighbours, community, volunteers, charity, fundraiser, school, pupils, teacher, university,
        nursery, housing, rent, planning permission, building site, road works, traffic, bus, tram,
        train station, cycle lane, parking, bridge, harbour, market, shop, restaurant, bakery, pub, park,
        playground, church, police, officers, arrested, courtroom, magistrate, burglary, fire brigade,
        accident, missing person, opening hours, anniversary""",
        """commune, mairie, maire, conseil municipal, quartier, habitants, voisins, riverains, associations,
        bénévoles, école, collège, lycée, élèves, logement, loyer, travaux, circulation, tramway, gare,
        piste cyclable, pont, port, marché, commerces, fête, pompiers, gendarmes, tribunal, faits divers""",
    ),
)

STARTER: tuple[Category, ...] = starter("en")
