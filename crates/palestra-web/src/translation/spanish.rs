//! The table itself, sorted by the English.

/// English and Spanish.
pub(super) const TRANSLATIONS: &[(&str, &str)] = &[
    (
        "1 if the own side sows next, -1 if the rival does",
        "1 si siembra ahora el lado propio, -1 si siembra el rival",
    ),
    (
        "1 in an ended game, -1 if the rival has more seeds there",
        "1 en una partida terminada, -1 si el rival tiene ahí más semillas",
    ),
    ("Connect-C: drop stones, make a run", "Conecta-C: suelta fichas y forma una línea"),
    (
        "Do parasites tell hosts apart, instead of being beaten by all or by none?",
        "¿Distinguen los parásitos a los huéspedes, en vez de perder ante todos o ante ninguno?",
    ),
    (
        "Does it beat what it began with, with more than 55 % for sure?",
        "¿Gana a aquello con lo que empezó, con más del 55 % y con seguridad?",
    ),
    (
        "Does it find more best moves at solved positions?",
        "¿Encuentra más jugadas óptimas en posiciones resueltas?",
    ),
    ("Does it happen again with at least 8 of 10 seeds?", "¿Vuelve a ocurrir con al menos 8 de 10 semillas?"),
    (
        "Does it hold its own against earlier champions, at 10, 25, 50 and 75 % of the run?",
        "¿Resiste ante los campeones anteriores, al 10, 25, 50 y 75 % de la ejecución?",
    ),
    (
        "Does the same method gain nothing from random fitness?",
        "¿No gana nada el mismo método con una aptitud al azar?",
    ),
    ("FAILS", "NO se cumple"),
    ("How far do successive champions turn?", "¿Cuánto giran los campeones sucesivos?"),
    (
        "How much of the results among earlier champions is rock, paper, scissors?",
        "¿Cuánto de los resultados entre campeones anteriores es piedra, papel o tijera?",
    ),
    (
        "Is it better than the winner of a random search with as many games?",
        "¿Es mejor que el ganador de una búsqueda al azar con las mismas partidas?",
    ),
    (
        "Is it stronger against players never met in training?",
        "¿Es más fuerte contra jugadores que nunca vio al entrenar?",
    ),
    (
        "Kalah: sow around the board, fill your store",
        "Kalah: siembra alrededor del tablero y llena tu almacén",
    ),
    ("Ladrillos: lay bricks, grow islands", "Ladrillos: coloca ladrillos y haz crecer islas"),
    ("Mancala as a university course played it", "Mancala como se jugó en un curso universitario"),
    (
        "Mastergoal: football in turns, a move and a chain of kicks",
        "Mastergoal: fútbol por turnos, un movimiento y una cadena de tiros",
    ),
    (
        "a feature the study dropped; alone or added to others: islands+enclosed",
        "una característica que el estudio descartó; sola o sumada a otras: islands+enclosed",
    ),
    (
        "a feature the study thought of: answering by symmetry; alone or added to others: islands+mirror+closing",
        "una característica que el estudio pensó: responder por simetría; sola o sumada a otras: islands+mirror+closing",
    ),
    (
        "a feature the study thought of: how much room the rival's largest island has; alone or added to others",
        "una característica que el estudio pensó: cuánto espacio tiene la mayor isla rival; sola o sumada a otras",
    ),
    ("added when the rival can win at once", "se suma cuando el rival puede ganar ya"),
    (
        "added when there is an own line long enough to win",
        "se suma cuando hay una línea propia que basta para ganar",
    ),
    ("avoids", "evita"),
    (
        "bueno as the report corrected it: 10000 in an ended game, negative where lost; no weights",
        "bueno como lo corrigió el informe: 10000 en una partida terminada, negativo si se perdió; sin pesos",
    ),
    (
        "cells playable now where a rival stone would win",
        "casillas jugables ahora en las que una ficha rival ganaría",
    ),
    (
        "columns between the ball and the nearest own piece",
        "columnas entre el balón y la pieza propia más cercana",
    ),
    (
        "columns between the ball and the nearest rival piece",
        "columnas entre el balón y la pieza rival más cercana",
    ),
    ("columns where the rival would win at once", "columnas en las que el rival ganaría ya"),
    (
        "directions in which a rival stone played now would win, in columns below the row count",
        "direcciones en las que una ficha rival jugada ahora ganaría, en columnas por debajo del número de filas",
    ),
    (
        "each free cell once, by the size of the largest own island that touches it",
        "cada casilla libre una vez, por el tamaño de la mayor isla propia que la toca",
    ),
    (
        "each free cell once, by the size of the largest rival island that touches it",
        "cada casilla libre una vez, por el tamaño de la mayor isla rival que la toca",
    ),
    ("exactly into it", "justo en él"),
    ("exponent of its length", "exponente de su longitud"),
    (
        "factor where it can be lengthened at once at both ends",
        "factor si se puede alargar ya por ambos extremos",
    ),
    ("factor where it can be lengthened at once at one end", "factor si se puede alargar ya por un extremo"),
    (
        "free cells that the rival's largest island can get to around own bricks",
        "casillas libres a las que puede llegar la mayor isla rival rodeando los ladrillos propios",
    ),
    (
        "half walls that one own island joins to the middle of the board, times the board's side",
        "medias paredes que una isla propia une con el centro del tablero, por el lado del tablero",
    ),
    ("holds", "se cumple"),
    ("holes of the rival that are not empty", "hoyos del rival que no están vacíos"),
    (
        "holes of the rival whose sowing gives it another turn",
        "hoyos del rival cuya siembra le da otro turno",
    ),
    (
        "how far up its field the foremost rival piece is",
        "cuánto ha avanzado en su campo la pieza rival más adelantada",
    ),
    (
        "how far up its field the second rival piece is",
        "cuánto ha avanzado en su campo la segunda pieza rival",
    ),
    (
        "how far up its field the third rival piece is",
        "cuánto ha avanzado en su campo la tercera pieza rival",
    ),
    ("how far up the field the ball is", "cuánto ha avanzado el balón en el campo"),
    (
        "how far up the field the foremost own piece is",
        "cuánto ha avanzado en el campo la pieza propia más adelantada",
    ),
    (
        "how far up the field the second own piece is",
        "cuánto ha avanzado en el campo la segunda pieza propia",
    ),
    ("how far up the field the third own piece is", "cuánto ha avanzado en el campo la tercera pieza propia"),
    ("ignores", "ignora"),
    (
        "length of the longest own line with an open end",
        "longitud de la línea propia más larga con un extremo abierto",
    ),
    (
        "length of the rival's longest line with an open end",
        "longitud de la línea más larga del rival con un extremo abierto",
    ),
    (
        "most seeds that one own sowing would take from the rival",
        "máximo de semillas que una siembra propia le quitaría al rival",
    ),
    (
        "most seeds that one sowing of the rival would take",
        "máximo de semillas que capturaría una siembra del rival",
    ),
    (
        "nearest rival distance minus nearest own distance",
        "distancia rival más corta menos distancia propia más corta",
    ),
    ("not run", "no se midió"),
    ("noted", "anotado"),
    ("open", "sin decidir"),
    (
        "own cells by how far the nearest wall is",
        "casillas propias según lo lejos que está la pared más cercana",
    ),
    (
        "own cells by row, column, or board side less row or column, whichever is least, counted from 0",
        "casillas propias por fila, columna, o lado del tablero menos fila o columna, lo que sea menor, contando desde 0",
    ),
    (
        "own cells opposite a rival's across the middle: bricks answered by symmetry",
        "casillas propias opuestas a una rival respecto al centro: ladrillos respondidos por simetría",
    ),
    ("own holes that are not empty", "hoyos propios que no están vacíos"),
    ("own holes whose sowing gives another turn", "hoyos propios cuya siembra da otro turno"),
    (
        "own holes with fewer, the last of which would fall on others",
        "hoyos propios con menos, cuya última semilla caería sobre otras",
    ),
    ("own holes with just as many", "hoyos propios con justo esas semillas"),
    (
        "own holes with more seeds than it takes to reach the own store",
        "hoyos propios con más semillas de las que hacen falta para llegar al almacén propio",
    ),
    (
        "own islands: size times free cells that touch the island",
        "islas propias: tamaño por casillas libres que tocan la isla",
    ),
    ("own lines long enough to win", "líneas propias que bastan para ganar"),
    ("own lines with an open end", "líneas propias con un extremo abierto"),
    ("own pairs less than 3 steps apart", "parejas propias a menos de 3 pasos"),
    ("own pairs more than 5 steps apart", "parejas propias a más de 5 pasos"),
    (
        "own pieces on the border, each 2, and next to it, each 1",
        "piezas propias en el borde, 2 cada una, y junto a él, 1 cada una",
    ),
    (
        "own points less the rival's, no weights: for exact searches",
        "puntos propios menos los del rival, sin pesos: para búsquedas exactas",
    ),
    (
        "own points less the rival's: islands by the square of their cells",
        "puntos propios menos los del rival: islas por el cuadrado de sus casillas",
    ),
    (
        "own points: islands by the square of their cells",
        "puntos propios: islas por el cuadrado de sus casillas",
    ),
    ("own stones in the four lowest rows", "fichas propias en las cuatro filas inferiores"),
    ("own stones in the middle columns", "fichas propias en las columnas centrales"),
    (
        "rival cells with no free and some own neighbor",
        "casillas rivales sin vecinas libres y con alguna vecina propia",
    ),
    ("rival distance minus own distance", "distancia rival menos distancia propia"),
    (
        "rival islands: size times free cells that touch the island",
        "islas rivales: tamaño por casillas libres que tocan la isla",
    ),
    ("rival pairs less than 3 steps apart", "parejas rivales a menos de 3 pasos"),
    ("rival pairs more than 5 steps apart", "parejas rivales a más de 5 pasos"),
    (
        "rival pieces on the border, each 2, and next to it, each 1",
        "piezas rivales en el borde, 2 cada una, y junto a él, 1 cada una",
    ),
    (
        "seeds facing the empty own holes where such a last seed would fall, empty holes falling on themselves",
        "semillas frente a los hoyos propios vacíos donde caería esa última semilla; los hoyos vacíos caen sobre sí mismos",
    ),
    (
        "seeds facing the rival's empty holes where a last seed would fall",
        "semillas frente a los hoyos vacíos del rival donde caería una última semilla",
    ),
    (
        "seeds in that hole, counted in sowing order",
        "semillas en ese hoyo, contados los hoyos en el orden de siembra",
    ),
    ("seeds in the own holes", "semillas en los hoyos propios"),
    (
        "seeds in the own store minus those in the rival's",
        "semillas en el almacén propio menos las del almacén rival",
    ),
    ("seeds in the rival's holes", "semillas en los hoyos del rival"),
    (
        "seeds of the own row minus the rival's, stores included; no weights",
        "semillas de la fila propia menos las de la rival, almacenes incluidos; sin pesos",
    ),
    (
        "seeds of the own row minus those of the rival's, stores included",
        "semillas de la fila propia menos las de la fila rival, almacenes incluidos",
    ),
    ("short of it, onto others", "antes de él, sobre otras"),
    ("steps from the nearest own piece to the ball", "pasos de la pieza propia más cercana al balón"),
    ("steps from the nearest rival piece to the ball", "pasos de la pieza rival más cercana al balón"),
    (
        "steps from the second nearest own piece to the ball",
        "pasos de la segunda pieza propia más cercana al balón",
    ),
    (
        "steps from the second nearest rival piece to the ball",
        "pasos de la segunda pieza rival más cercana al balón",
    ),
    (
        "steps from the third nearest own piece to the ball",
        "pasos de la tercera pieza propia más cercana al balón",
    ),
    (
        "steps from the third nearest rival piece to the ball",
        "pasos de la tercera pieza rival más cercana al balón",
    ),
    (
        "the Connect-4 study's four features, in hundreds: runs one short, blocks needed, middle columns, low rows",
        "las cuatro características del estudio de Conecta 4, en centenas: líneas a falta de una, bloqueos necesarios, columnas centrales, filas bajas",
    ),
    (
        "the Connect-C study's first design: lines that can still win, by a power of their length; not linear",
        "el primer diseño del estudio de Conecta-C: líneas que aún pueden ganar, por una potencia de su longitud; no es lineal",
    ),
    (
        "the Connect-C study's six features as its report defines them: lines, threats, longest and open lines",
        "las seis características del estudio de Conecta-C como las define su informe: líneas, amenazas, líneas más largas y abiertas",
    ),
    (
        "the course's: seeds of the own row minus the rival's, stores included; no weights",
        "la del curso: semillas de la fila propia menos las de la rival, almacenes incluidos; sin pesos",
    ),
    (
        "the course's: the best such margin within one more ply, -50 in any ended game; no weights",
        "la del curso: el mejor margen así con una jugada más, -50 en toda partida terminada; sin pesos",
    ),
    (
        "the difference of the stores, and in an ended game its margin; no weights",
        "la diferencia de los almacenes y, en una partida terminada, su margen; sin pesos",
    ),
    (
        "the features of mancala's report, for this many holes: holes, where sowings would end, difference",
        "las características del informe de mancala, para este número de hoyos: hoyos, dónde acabarían las siembras, diferencia",
    ),
    (
        "the five features as the report words them, in its order: own points, distance minimized, expansion per island, divisions version 1 (islands-report:divisions=2 for version 2)",
        "las cinco características como las redacta el informe, en su orden: puntos propios, distancia minimizada, expansión por isla, divisiones versión 1 (islands-report:divisions=2 para la versión 2)",
    ),
    ("the leader after the first generation", "el líder tras la primera generación"),
    (
        "the report's features with weights of your own: holes, where sowings would end, difference",
        "las características del informe con pesos tuyos: hoyos, dónde acabarían las siembras, diferencia",
    ),
    (
        "the report's tuned evaluation: seeds with its weights; no weights",
        "la evaluación ajustada del informe: semillas con sus pesos; sin pesos",
    ),
    ("the rival's lines with an open end", "líneas del rival con un extremo abierto"),
    ("the same four of the rival: past the store", "las mismas cuatro del rival: más allá del almacén"),
    (
        "the same six as the study's program counted them: threats per direction, columns below the row count only",
        "las mismas seis como las contaba el programa del estudio: amenazas por dirección, solo columnas por debajo del número de filas",
    ),
    (
        "the sign of the margin times the whole part of its root, no weights: the leaves of the study's table of alpha-beta",
        "el signo del margen por la parte entera de su raíz, sin pesos: las hojas de la tabla de alfa-beta del estudio",
    ),
    ("the start", "el comienzo"),
    (
        "the study's eight features for one piece a side: advances, distances and columns to the ball",
        "las ocho características del estudio para una pieza por bando: avances, distancias y columnas hasta el balón",
    ),
    (
        "the study's five features as its program computes them, in the program's order",
        "las cinco características del estudio como las calcula su programa, en el orden del programa",
    ),
    (
        "the study's twenty-four features for five pieces a side",
        "las veinticuatro características del estudio para cinco piezas por bando",
    ),
    (
        "value of a rival line of one stone that can still win, usually negative",
        "valor de una línea rival de una ficha que aún puede ganar, normalmente negativo",
    ),
    (
        "value of an own line of one stone that can still win",
        "valor de una línea propia de una ficha que aún puede ganar",
    ),
    (
        "walls whose middle one own island joins to the middle of the board, times the board's side",
        "paredes cuyo centro une una isla propia con el centro del tablero, por el lado del tablero",
    ),
    ("wants", "busca"),
    ("warning", "aviso"),
    (
        "what a player of today counts: stores, seeds, captures, further turns, moves, whose turn",
        "lo que cuenta un jugador de hoy: almacenes, semillas, capturas, turnos extra, jugadas, de quién es el turno",
    ),
    (
        "what the study's Masters was really played with: divisions version 1, distance always with weight 1, the fifth weight without effect",
        "con lo que se jugó de verdad el Masters del estudio: divisiones versión 1, distancia siempre con peso 1, el quinto peso sin efecto",
    ),
    (
        "whether both teams are next to the ball in equal numbers",
        "si ambos equipos tienen el mismo número de piezas junto al balón",
    ),
    (
        "whether the ball is on a square that gives me another turn",
        "si el balón está en una casilla que me da otro turno",
    ),
    ("whether the own keeper is in its big area", "si el portero propio está en su área grande"),
    ("whether the rival keeper is in its big area", "si el portero rival está en su área grande"),
    (
        "windows one shorter than a win that hold own stones only",
        "tramos a una ficha de ganar que solo contienen fichas propias",
    ),
    (
        "without effect: always 0, the program did not use this weight",
        "sin efecto: siempre 0, el programa no usaba este peso",
    ),
];
