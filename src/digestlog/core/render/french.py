"""Why something failed, in French: the English words of the program's own errors, part by part.

Errors are made in English, deep down. A digest in French says them in French; what came from elsewhere
(names, addresses, numbers) stays as it is, and so does a text that is not one of ours.
"""

from __future__ import annotations

import re

_NBSP = "\N{NO-BREAK SPACE}"
_PARTS = (
    # the network
    ("stopped answering", "a cessé de répondre"),
    ("did not answer as a chat endpoint does", "ne répond pas comme un service de dialogue"),
    ("did not answer", "n’a pas répondu"),
    ("did not accept a connection in time", "n’a pas accepté de connexion à temps"),
    ("was refused by the proxy", "a été refusé par le proxy"),
    ("no reason given", "sans raison donnée"),
    ("cannot be reached", "est injoignable"),
    ("hung up without an answer", "a raccroché sans répondre"),
    ("nothing answers there", "rien n’y répond"),
    ("there is no way to it from here", "aucun chemin n’y mène d’ici"),
    ("it hung up", "la connexion a été coupée"),
    ("too many connections are open", "trop de connexions sont ouvertes"),
    ("its certificate cannot be trusted", "son certificat n’est pas fiable"),
    ("no secure connection could be made", "aucune connexion sûre n’a pu être établie"),
    ("no connection could be made", "aucune connexion n’a pu être établie"),
    ("sent more headers than anyone needs", "a envoyé bien trop d’en-têtes"),
    ("answered something that is not HTTP", "a répondu autre chose que du HTTP"),
    ("gave no proper answer", "n’a pas donné de réponse correcte"),
    (r"the name (\S+) cannot be found", r"le nom \1 est introuvable"),
    ("the name cannot be found", "le nom est introuvable"),
    ("the name has no address", "le nom n’a pas d’adresse"),
    ("leads to a private address", "mène à une adresse privée"),
    ("is a private address", "est une adresse privée"),
    ("was not asked", "n’a pas été interrogé"),
    (r"wants to be left alone for (\d+) s", r"demande \1 s de repos"),
    ("the proxy in the environment cannot be used", "le proxy de l’environnement est inutilisable"),
    ("the site's robots.txt cannot be read now", "le robots.txt du site est illisible pour l’instant"),
    ("is closed to programs by the site's robots.txt", "est fermé aux programmes par le robots.txt du site"),
    ("the trusted certificates cannot be read", "les certificats de confiance sont illisibles"),
    (r"unpacks to more than (\S+) bytes", r"dépasse \1 octets une fois décompressé"),
    (r"is larger than (\S+) bytes", r"dépasse \1 octets"),
    ("comes in too many small pieces", "arrive en trop de petits morceaux"),
    ("was cut off in its answer", "a été interrompu dans sa réponse"),
    ("was cut off", "a été interrompu"),
    ("is compressed in a way that was not asked for", "est compressé d’une façon qui n’a pas été demandée"),
    (r"is compressed more than (\S+) times over", r"est compressé plus de \1 fois"),
    ("sent damaged compressed data", "a envoyé des données compressées abîmées"),
    ("is too long for an address", "est trop long pour une adresse"),
    ("is not an address that can be read", "n’est pas une adresse lisible"),
    ("is not fetched: only http and https are", f"n’est pas lu{_NBSP}: seuls http et https le sont"),
    ("redirects to an address that cannot be followed", "redirige vers une adresse impossible à suivre"),
    ("redirects in a circle", "redirige en rond"),
    (r"redirects more than (\S+) times", r"redirige plus de \1 fois"),
    (r"took longer than (\S+) s\b", r"a pris plus de \1 s"),
    # sources
    ("is gone for good", "a disparu pour de bon"),
    ("there is nothing at this address", "il n’y a rien à cette adresse"),
    ("refuses to be read", "refuse d’être lu"),
    ("too many visits", "trop de visites"),
    ("its server is in trouble", "son serveur est en difficulté"),
    ("its server is overloaded or being repaired", "son serveur est surchargé ou en réparation"),
    ("is a web page, not a feed", "est une page web, pas un flux"),
    (r"This has more than (\S+) elements, more than a feed can have\.", r"plus de \1 éléments, trop."),
    (r"This is not a feed\.", "ce n’est pas un flux."),
    ("reading it ended the process that read it", "sa lecture a mis fin au processus qui lisait"),
    ("is not a feed", "n’est pas un flux"),
    ("its site names", "son site indique"),
    ("your own network?", f"votre propre réseau{_NBSP}?"),
    # articles
    (r"is not a web page but (\S+)", r"n’est pas une page web mais \1"),
    ("is not a web page", "n’est pas une page web"),
    ("is not there any more", "n’est plus là"),
    ("has no article text", "n’a pas de texte d’article"),
    ("it leads to a login or consent page", "mène à une page de connexion ou de consentement"),
    ("it leads to an error page", "mène à une page d’erreur"),
    ("it leads to the front page of a site", "mène à la page d’accueil d’un site"),
    ("wants a login", "demande une connexion"),
    # models and searches
    ("wants to be paid first", "veut d’abord être payé"),
    ("does not accept the key", "n’accepte pas la clé"),
    ("does not allow this", "ne le permet pas"),
    ("does not know the path or the model", "ne connaît pas le chemin ou le modèle"),
    ("finds the question too long", "trouve la question trop longue"),
    ("is asked too often, or the quota is used up", "est trop sollicité, ou son quota est épuisé"),
    ("has an error of its own", "a une erreur qui lui est propre"),
    ("refuses the question", "refuse la question"),
    ("refused to answer", "a refusé de répondre"),
    ("has moved", "a déménagé"),
    ("gave an empty answer", "a donné une réponse vide"),
    (r"gave an answer of more than (\S+) characters", r"a donné une réponse de plus de \1 caractères"),
    ("was asked as often as one run may", "a été interrogé autant que permis en une fois"),
    ("was sent as much as one run may", "a reçu autant de texte que permis en une fois"),
    ("the llm package is not installed", "le paquet llm n’est pas installé"),
    ("the llm package has no model", "le paquet llm n’a pas de modèle"),
    (r"failed \((\w+)\)", r"a échoué (\1)"),
    ("the search answered something that is not JSON", "la recherche n’a pas répondu en JSON"),
    ("the search answered something that is not a feed", "la recherche n’a pas répondu par un flux"),
    ("the search gave no list of results", "la recherche n’a pas donné de liste de résultats"),
    ("the model answered without JSON", "le modèle a répondu sans JSON"),
    ("the model answered with JSON that cannot be read", "le modèle a répondu par du JSON illisible"),
    (
        r"the model gave (\S+) labels for (\S+) articles",
        r"le modèle a donné \1 étiquettes pour \2 articles",
    ),
    (
        r"the model gave (\S+) quotes instead of one to (\S+)",
        r"le modèle a donné \1 citations au lieu d’une à \2",
    ),
    ("the model gave an empty summary", "le modèle a donné un résumé vide"),
    (
        "the model quoted words that the article does not have",
        "le modèle a cité des mots que l’article ne contient pas",
    ),
    ("the model gave a summary that is far too long", "le modèle a donné un résumé bien trop long"),
    (
        "the model put an address or markup into the summary",
        "le modèle a mis une adresse ou des balises dans le résumé",
    ),
    ("the model repeated its instructions", "le modèle a répété ses consignes"),
    ("the model mixed up the articles", "le modèle a confondu les articles"),
    (
        "the model named a category that does not exist",
        "le modèle a nommé une catégorie qui n’existe pas",
    ),
    (
        "the model gave a confidence that is not between 0 and 1",
        "le modèle a donné une confiance qui n’est pas entre 0 et 1",
    ),
    ("the model left out a part of the answer", "le modèle a omis une partie de la réponse"),
    (
        "the model added something to the answer that nobody asked for",
        "le modèle a ajouté à la réponse ce que personne n’a demandé",
    ),
    ("the model gave no list of labels", "le modèle n’a pas donné de liste d’étiquettes"),
    ("the model gave no list of quotes", "le modèle n’a pas donné de liste de citations"),
    (
        "the model gave something else than text for a quote",
        "le modèle a donné autre chose que du texte comme citation",
    ),
    (
        "the model gave something else than text for the summary",
        "le modèle a donné autre chose que du texte comme résumé",
    ),
    (r"answered (\d+)", r"a répondu \1"),
)
_COMPILED = tuple(
    (re.compile(english if "(" in english or "\\" in english else re.escape(english)), french)
    # A longer one before those that stand inside it.
    for english, french in sorted(_PARTS, key=lambda part: -len(part[0]))
)


def reason(text: str) -> str:
    """The same reason in French, as far as its words are the program's own."""
    for english, french in _COMPILED:
        text = english.sub(french, text)
    return re.sub(r"(?<=[^\s/:\d]): ", f"{_NBSP}: ", text)
