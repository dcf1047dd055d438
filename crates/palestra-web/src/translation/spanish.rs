//! Translations, sorted by the English text.

/// English and Spanish.
pub(super) const TRANSLATIONS: &[(&str, &str)] = &[
    (
        "Do parasites tell hosts apart, instead of being beaten by all or by none?",
        "¿Distinguen los parásitos a los huéspedes, en vez de perder ante todos o ante ninguno?",
    ),
    (
        "Does it beat champions of the same method with random fitness?",
        "¿Gana a campeones del mismo método con una aptitud al azar?",
    ),
    (
        "Does it beat the start, or equal weights, with more than 55 % for sure?",
        "¿Gana al punto de partida, o a los pesos iguales, con más del 55 %, con significación estadística?",
    ),
    (
        "Does it beat what it began with, with more than 55 % for sure?",
        "¿Gana al punto de partida con más del 55 %, con significación estadística?",
    ),
    (
        "Does it find more best moves at solved positions?",
        "¿Encuentra más jugadas óptimas en posiciones resueltas?",
    ),
    ("Does it happen again with at least 8 of 10 seeds?", "¿Se repite con al menos 8 de 10 semillas?"),
    (
        "Does it hold its own against earlier champions, at 10, 25, 50 and 75 % of the run?",
        "¿Se mantiene ante los campeones anteriores, al 10, 25, 50 y 75 % de la ejecución?",
    ),
    (
        "Does the same method gain nothing from random fitness?",
        "¿El mismo método no gana nada con una aptitud al azar?",
    ),
    ("FAILS", "NO se cumple"),
    ("How far do successive champions turn?", "¿Cuánto giran los campeones sucesivos?"),
    (
        "How much of the results among earlier champions is rock, paper, scissors?",
        "¿Cuánto de los resultados entre campeones anteriores es cíclico, como piedra, papel o tijera?",
    ),
    (
        "Is it better than the winner of a random search with as many games?",
        "¿Es mejor que el ganador de una búsqueda al azar con el mismo número de partidas?",
    ),
    (
        "Is it stronger against players never met in training?",
        "¿Es más fuerte contra jugadores que no vio en el entrenamiento?",
    ),
    ("avoids", "evita"),
    ("closed pipe", "cerró su salida"),
    ("cpu time", "demasiado tiempo de procesador"),
    ("crash", "el programa se cerró inesperadamente"),
    ("disk", "demasiado disco"),
    ("equal weights", "los pesos iguales"),
    ("flood", "escribió demasiado"),
    ("forbidden call", "llamada prohibida"),
    ("garbled answer", "respuesta ilegible"),
    ("holds", "se cumple"),
    ("ignores", "ignora"),
    ("illegal move", "jugada ilegal"),
    ("memory", "demasiada memoria"),
    ("no handshake", "no respondió al inicio"),
    ("not run", "no se midió"),
    ("not started", "no arrancó"),
    ("noted", "anotado"),
    ("out of turn", "jugó fuera de turno"),
    ("processes", "demasiados procesos"),
    ("resignation", "abandono"),
    ("resigned", "abandono"),
    ("the leader after the first generation", "el líder tras la primera generación"),
    ("the start", "el punto de partida"),
    (
        "the winner of a random search with as many games",
        "el ganador de una búsqueda al azar con el mismo número de partidas",
    ),
    ("time", "tiempo agotado"),
    ("wants", "busca"),
    ("warning", "aviso"),
];
