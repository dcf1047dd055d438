//! Translations, sorted by the English text.

/// English and Spanish.
pub(super) const TRANSLATIONS: &[(&str, &str)] = &[
    (
        "1 if both teams have the same number of pieces next to the ball, at least one",
        "1 si ambos equipos tienen el mismo número de piezas junto al balón, al menos una",
    ),
    (
        "1 if the ball is on a square that gives the own team another turn",
        "1 si el balón está en una casilla que da otro turno al equipo propio",
    ),
    ("1 if the opponent keeper is in its big area", "1 si el portero rival está en su área grande"),
    ("1 if the own keeper is in its big area", "1 si el portero propio está en su área grande"),
    (
        "1 if the own side sows next, -1 if the opponent does",
        "1 si siembra ahora el lado propio, -1 si siembra el rival",
    ),
    (
        "1 in an ended game, -1 if the opponent has more seeds there",
        "1 en una partida terminada, -1 si el rival tiene más semillas",
    ),
    ("Connect-C: drop stones, make a line", "Conecta-C: suelta fichas y forma una línea"),
    (
        "Do parasites tell hosts apart, instead of being beaten by all or by none?",
        "¿Distinguen los parásitos a los huéspedes, en vez de perder ante todos o ante ninguno?",
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
    (
        "Kalah: sow around the board, fill your store",
        "Kalah: siembra alrededor del tablero y llena tu almacén",
    ),
    ("Ladrillos: lay bricks, grow islands", "Ladrillos: coloca ladrillos y haz crecer islas"),
    ("Mancala by the rules of a university course", "Mancala según las reglas de un curso universitario"),
    (
        "Mastergoal: football in turns, a move and a chain of kicks",
        "Mastergoal: fútbol por turnos, un movimiento y una cadena de tiros",
    ),
    (
        "a feature that the study dropped: enclosed opponent cells; alone or added to others: islands+enclosed",
        "una característica que el estudio descartó: casillas rivales encerradas; sola o sumada a otras: islands+enclosed",
    ),
    (
        "a feature that the study proposed: free cells that the opponent's largest island can reach; alone or added to others",
        "una característica que el estudio propuso: casillas libres a las que puede llegar la mayor isla rival; sola o sumada a otras",
    ),
    (
        "a feature that the study proposed: symmetric replies; alone or added to others: islands+mirror+closing",
        "una característica que el estudio propuso: respuestas simétricas; sola o sumada a otras: islands+mirror+closing",
    ),
    ("added when an own line is long enough to win", "se suma cuando una línea propia basta para ganar"),
    ("added when the opponent can win at once", "se suma cuando el rival puede ganar de inmediato"),
    ("avoids", "evita"),
    (
        "bueno as corrected in the report: 10000 in an ended game, -10000 if it is lost; no weights",
        "bueno como lo corrigió el informe: 10000 en una partida terminada, -10000 si se perdió; sin pesos",
    ),
    (
        "cells playable now where an opponent's stone would win",
        "casillas jugables ahora en las que una ficha rival ganaría",
    ),
    (
        "columns from the ball to the nearest opponent piece",
        "columnas del balón a la pieza rival más cercana",
    ),
    ("columns from the ball to the nearest own piece", "columnas del balón a la pieza propia más cercana"),
    ("columns where the opponent would win at once", "columnas en las que el rival ganaría de inmediato"),
    (
        "directions in which an opponent's stone played now would win, in the first ROWS columns",
        "direcciones en las que una ficha rival jugada ahora ganaría, en las primeras ROWS columnas",
    ),
    ("exponent of its length", "exponente de su longitud"),
    (
        "factor where it can be lengthened at once at both ends",
        "factor si se puede alargar de inmediato por ambos extremos",
    ),
    (
        "factor where it can be lengthened at once at one end",
        "factor si se puede alargar de inmediato por un extremo",
    ),
    (
        "free cells that the opponent's largest island can reach around own bricks",
        "casillas libres a las que puede llegar la mayor isla rival rodeando los ladrillos propios",
    ),
    (
        "half walls that are joined to the middle of the board by one own island, times N",
        "medias paredes que una isla propia une con el centro del tablero, por N",
    ),
    ("holds", "se cumple"),
    ("ignores", "ignora"),
    (
        "length of the longest own line with an open end",
        "longitud de la línea propia más larga con un extremo abierto",
    ),
    (
        "length of the opponent's longest line with an open end",
        "longitud de la línea más larga del rival con un extremo abierto",
    ),
    ("most seeds that one own sowing would capture", "máximo de semillas que capturaría una siembra propia"),
    (
        "most seeds that one sowing of the opponent would capture",
        "máximo de semillas que capturaría una siembra del rival",
    ),
    ("not run", "no se midió"),
    ("noted", "anotado"),
    ("open", "sin decidir"),
    (
        "opponent cells with no free neighbor and at least one own neighbor",
        "casillas rivales sin vecinas libres y con al menos una vecina propia",
    ),
    ("opponent distance minus own distance", "distancia rival menos distancia propia"),
    ("opponent pairs less than 3 steps apart", "parejas rivales a menos de 3 pasos"),
    ("opponent pairs more than 5 steps apart", "parejas rivales a más de 5 pasos"),
    (
        "opponent pieces on the side lines (2 each) and next to them (1 each)",
        "piezas rivales en las bandas (2 cada una) y junto a ellas (1 cada una)",
    ),
    ("opponent's holes that are not empty", "hoyos del rival que no están vacíos"),
    (
        "opponent's holes whose sowing gives it an extra turn",
        "hoyos del rival cuya siembra le da un turno extra",
    ),
    (
        "own cells whose image under a half turn of the board is the opponent's",
        "casillas propias cuya imagen al girar el tablero media vuelta es del rival",
    ),
    ("own holes that are not empty", "hoyos propios que no están vacíos"),
    ("own holes whose sowing gives an extra turn", "hoyos propios cuya siembra da un turno extra"),
    ("own holes with exactly as many", "hoyos propios con exactamente esas semillas"),
    (
        "own holes with fewer, whose last seed would fall into a filled hole",
        "hoyos propios con menos, cuya última semilla caería en un hoyo con semillas",
    ),
    (
        "own holes with more seeds than needed to reach the own store",
        "hoyos propios con más semillas de las necesarias para llegar al almacén propio",
    ),
    ("own lines long enough to win", "líneas propias que bastan para ganar"),
    ("own lines with an open end", "líneas propias con un extremo abierto"),
    ("own pairs less than 3 steps apart", "parejas propias a menos de 3 pasos"),
    ("own pairs more than 5 steps apart", "parejas propias a más de 5 pasos"),
    (
        "own pieces on the side lines (2 each) and next to them (1 each)",
        "piezas propias en las bandas (2 cada una) y junto a ellas (1 cada una)",
    ),
    (
        "own points minus the opponent's, for exact searches; no weights",
        "puntos propios menos los del rival, para búsquedas exactas; sin pesos",
    ),
    (
        "own points minus the opponent's, where an island has the square of its cells",
        "puntos propios menos los del rival; una isla vale el cuadrado de sus casillas",
    ),
    (
        "own points, where an island has the square of its cells",
        "puntos propios; una isla vale el cuadrado de sus casillas",
    ),
    ("own stones in the four lowest rows", "fichas propias en las cuatro filas inferiores"),
    ("own stones in the middle columns", "fichas propias en las columnas centrales"),
    ("rows of the ball beyond the middle row", "filas del balón más allá de la fila central"),
    (
        "rows of the most advanced opponent piece beyond the middle row",
        "filas de la pieza rival más adelantada más allá de la fila central",
    ),
    (
        "rows of the most advanced own piece beyond the middle row",
        "filas de la pieza propia más adelantada más allá de la fila central",
    ),
    (
        "rows of the second most advanced opponent piece beyond the middle row",
        "filas de la segunda pieza rival más adelantada más allá de la fila central",
    ),
    (
        "rows of the second most advanced own piece beyond the middle row",
        "filas de la segunda pieza propia más adelantada más allá de la fila central",
    ),
    (
        "rows of the third most advanced opponent piece beyond the middle row",
        "filas de la tercera pieza rival más adelantada más allá de la fila central",
    ),
    (
        "rows of the third most advanced own piece beyond the middle row",
        "filas de la tercera pieza propia más adelantada más allá de la fila central",
    ),
    (
        "seeds facing the empty own holes where a last seed would fall; an empty hole counts as falling on itself",
        "semillas frente a los hoyos propios vacíos donde caería una última semilla; un hoyo vacío cuenta como si cayera en sí mismo",
    ),
    (
        "seeds facing the opponent's empty holes where a last seed would fall",
        "semillas frente a los hoyos vacíos del rival donde caería una última semilla",
    ),
    (
        "seeds in that hole, numbered in sowing order",
        "semillas en ese hoyo, numerados los hoyos en el orden de siembra",
    ),
    ("seeds in the opponent's holes", "semillas en los hoyos del rival"),
    ("seeds in the own holes", "semillas en los hoyos propios"),
    (
        "seeds in the own store minus those in the opponent's",
        "semillas en el almacén propio menos las del almacén rival",
    ),
    (
        "seeds of the own row minus those of the opponent's, stores included",
        "semillas de la fila propia menos las de la fila rival, almacenes incluidos",
    ),
    (
        "seeds of the own row minus those of the opponent's, stores included; no weights",
        "semillas de la fila propia menos las de la fila rival, almacenes incluidos; sin pesos",
    ),
    (
        "sign of the margin times its square root, rounded down: the leaf values of the study's alpha-beta table; no weights",
        "signo del margen por su raíz cuadrada, redondeada hacia abajo: los valores de las hojas de la tabla de alfa-beta del estudio; sin pesos",
    ),
    (
        "smallest opponent distance minus smallest own distance",
        "menor distancia rival menos menor distancia propia",
    ),
    ("steps from the nearest opponent piece to the ball", "pasos de la pieza rival más cercana al balón"),
    ("steps from the nearest own piece to the ball", "pasos de la pieza propia más cercana al balón"),
    (
        "steps from the second nearest opponent piece to the ball",
        "pasos de la segunda pieza rival más cercana al balón",
    ),
    (
        "steps from the second nearest own piece to the ball",
        "pasos de la segunda pieza propia más cercana al balón",
    ),
    (
        "steps from the third nearest opponent piece to the ball",
        "pasos de la tercera pieza rival más cercana al balón",
    ),
    (
        "steps from the third nearest own piece to the ball",
        "pasos de la tercera pieza propia más cercana al balón",
    ),
    (
        "sum over free cells of the size of the largest opponent island that touches the cell",
        "suma, sobre las casillas libres, del tamaño de la mayor isla rival que toca la casilla",
    ),
    (
        "sum over free cells of the size of the largest own island that touches the cell",
        "suma, sobre las casillas libres, del tamaño de la mayor isla propia que toca la casilla",
    ),
    (
        "sum over opponent islands of size times free cells that touch the island",
        "suma, sobre las islas rivales, del tamaño por las casillas libres que tocan la isla",
    ),
    (
        "sum over own cells of min(row, column, N - row, N - column), counted from 0",
        "suma, sobre las casillas propias, de min(fila, columna, N - fila, N - columna), contando desde 0",
    ),
    (
        "sum over own cells of the distance to the nearest wall",
        "suma, sobre las casillas propias, de la distancia a la pared más cercana",
    ),
    (
        "sum over own islands of size times free cells that touch the island",
        "suma, sobre las islas propias, del tamaño por las casillas libres que tocan la isla",
    ),
    (
        "the course's evaluation: seeds of the own row minus those of the opponent's, stores included; no weights",
        "la evaluación del curso: semillas de la fila propia menos las de la fila rival, almacenes incluidos; sin pesos",
    ),
    (
        "the course's evaluation: the best such difference after one more ply, -50 in any ended game; no weights",
        "la evaluación del curso: la mejor diferencia así tras una jugada más, -50 en toda partida terminada; sin pesos",
    ),
    (
        "the difference of the stores; in an ended game, the margin; no weights",
        "la diferencia de los almacenes; en una partida terminada, el margen; sin pesos",
    ),
    (
        "the evaluation with which the study's Masters was actually played: divisions version 1, distance with fixed weight 1, fifth weight without effect",
        "la evaluación con la que se jugó realmente el Masters del estudio: divisiones versión 1, distancia con peso fijo 1, quinto peso sin efecto",
    ),
    (
        "the features of mancala's report for this number of holes: seeds in holes, where sowings would end, difference",
        "las características del informe de mancala para este número de hoyos: semillas en los hoyos, dónde acabarían las siembras, diferencia",
    ),
    (
        "the features of modern Kalah programs: stores, seeds, captures, extra turns, moves, side to move",
        "las características de los programas modernos de Kalah: almacenes, semillas, capturas, turnos extra, jugadas, lado que juega",
    ),
    (
        "the features of the report with free weights: seeds in holes, where sowings would end, difference",
        "las características del informe con pesos libres: semillas en los hoyos, dónde acabarían las siembras, diferencia",
    ),
    (
        "the first design of the Connect-C study: each line that can still win counts by a power of its length; not linear",
        "el primer diseño del estudio de Conecta-C: cada línea que aún puede ganar cuenta según una potencia de su longitud; no es lineal",
    ),
    (
        "the five features as the report describes them, in its order: own points, distance to minimize, expansion per island, divisions version 1 (islands-report:divisions=2 for version 2)",
        "las cinco características como las describe el informe, en su orden: puntos propios, distancia a minimizar, expansión por isla, divisiones versión 1 (islands-report:divisions=2 para la versión 2)",
    ),
    (
        "the five features of the study as its program computes them, in the program's order",
        "las cinco características del estudio como las calcula su programa, en el orden del programa",
    ),
    (
        "the four features of the Connect-4 study, in hundreds: lines one stone short, blocks needed, stones in middle columns and in low rows",
        "las cuatro características del estudio de Conecta 4, en centenas: líneas a falta de una ficha, bloqueos necesarios, fichas en columnas centrales y en filas bajas",
    ),
    ("the leader after the first generation", "el líder tras la primera generación"),
    ("the opponent's holes with exactly as many", "hoyos del rival con exactamente esas semillas"),
    (
        "the opponent's holes with fewer, whose last seed would fall into a filled hole",
        "hoyos del rival con menos, cuya última semilla caería en un hoyo con semillas",
    ),
    (
        "the opponent's holes with more seeds than needed to reach its store",
        "hoyos del rival con más semillas de las necesarias para llegar a su almacén",
    ),
    ("the opponent's lines with an open end", "líneas del rival con un extremo abierto"),
    (
        "the same six features as the study's program counted them: a threat for each direction, and only in the first ROWS columns",
        "las mismas seis características como las contaba el programa del estudio: una amenaza por dirección, y solo en las primeras ROWS columnas",
    ),
    (
        "the six features of the Connect-C study as its report defines them: won lines, threats, longest and open lines",
        "las seis características del estudio de Conecta-C según su informe: líneas ganadas, amenazas, líneas más largas y abiertas",
    ),
    ("the start", "el punto de partida"),
    (
        "the study's eight features for one piece a side: advances, distances and columns to the ball",
        "las ocho características del estudio para una pieza por bando: avances, distancias y columnas hasta el balón",
    ),
    (
        "the study's twenty-four features for five pieces a side",
        "las veinticuatro características del estudio para cinco piezas por bando",
    ),
    (
        "the tuned evaluation of the report: the features of seeds with fixed weights; no weights",
        "la evaluación ajustada del informe: las características de seeds con pesos fijos; sin pesos",
    ),
    (
        "value of an opponent line of one stone that can still win; usually below 0",
        "valor de una línea rival de una ficha que aún puede ganar; normalmente negativo",
    ),
    (
        "value of an own line of one stone that can still win",
        "valor de una línea propia de una ficha que aún puede ganar",
    ),
    (
        "walls whose middle part is joined to the middle of the board by one own island, times N",
        "paredes cuya parte central une una isla propia con el centro del tablero, por N",
    ),
    ("wants", "busca"),
    ("warning", "aviso"),
    (
        "windows one shorter than a win that hold own stones only",
        "tramos a una ficha de ganar que solo contienen fichas propias",
    ),
    (
        "without effect: always 0, because the program did not use this weight",
        "sin efecto: siempre 0, porque el programa no usaba este peso",
    ),
];
