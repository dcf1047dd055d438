//! Valid input that takes little time: what mutation starts from.

/// Command lines; `~` is a space within a word.
pub(super) const LINES: &[&str] = &[
    "accuracy connect:4x4x3 grid-5 random --positions 5",
    "accuracy ladrillos:4 random --positions 3 --nodes 200 --from-ply 2",
    "analyze connect4 445533 --player grid-5 --nodes 2000 --deep",
    "analyze ladrillos:5 --nodes 500 --memory 16M --json",
    "analyze kalah:4x2 --memory 16M",
    "certify certify.toml --nodes 200 --from grid-5",
    "compare-methods compare.toml --svg curves.svg",
    "compare-methods compare.toml --print-plan --set seeds=2",
    "completions bash",
    "engine check connect4 cmd:./absent --clock 1/move",
    "engine replay 117 --store absent.db",
    "event cup --player 1:0:1:1 --games --csv marks.csv --pgn games.txt",
    "event cup --site public --language es",
    "explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80",
    "explain connect4 - alphabeta:depth=3/threes/4,4,1,2 --json",
    "explain mancala:uam random",
    "games connect --json",
    "games mastergoal:1",
    "map connect:4x4x3 greedy/threes/4,4,1,2 --x 1 --y 2 --x-range -2..2 --y-range -2..2 --opponent first",
    "match connect4 random grid-5 --games 4 --opening-plies 2 --seed 3",
    "match connect:5x4x3 greedy/lines/1,2,3,4,5,6 alphabeta:depth=2/threes/4,4,1,2 --games 4 --json",
    "match kalah:6x4 mcts:playouts=20 random --games 2 --skip-pairs 1",
    "match ladrillos:5 minimax:depth=1/margin random --games 2 --threads 1",
    "match mastergoal:1 hand-level1 random --games 2 --concurrency 2",
    "methods cmaes",
    "perft connect4 4 --moves 44",
    "perft ladrillos:4 3",
    "play connect4 --first random --second greedy/lines/1000,-500,80,-2,2,80 --moves 4455",
    "playouts mancala:uam,fuga --games 20",
    "playouts mastergoal:3,limit=40 --games 5 --json",
    "players kalah:6x4",
    "ratings results.csv --anchor A=1500 --bootstrap 20 --nash --glicko",
    "report 1 --output report.html",
    "run export cmaes-connect-4x4x3-1 --format csv --output weights.csv",
    "run hall 1 --pairs 2",
    "run show 1 --json",
    "runs --store palestra.db --color never",
    "sensitivity connect:4x4x3 greedy/threes/4,4,1,2 --opponent first --opponent random --opening 1~2",
    "serve --listen 127.0.0.1:99999 --token 12345678 --no-browser",
    "show connect4 --setup ......./......./......./......./..1..../..21...~1 --svg board.svg",
    "show kalah:6x4 --setup 4,4,4,4,4,4,0/4,4,4,4,4,4,0~1",
    "show ladrillos:4 --json",
    "solve connect:4x4x3 1122 --no-cache --memory 16M",
    "solve kalah:3x2 --memory 16M --no-cache",
    "stats 18 9 3 --sprt logistic,0,10,0.05,0.05 --player a --opponent b",
    "stats --pairs 1,2,3,4,5",
    "stats --values 1.5,2,3 --than 2,2.5 --against 0.5",
    "store backup copy.db --store palestra.db",
    "store check --json",
    "study list",
    "tournament connect4 a=grid-5 b=random c=first --format swiss --rounds 2 --name cup --points 3/1/0",
    "tournament connect:4x4x3 a=grid-5 b=random --cycles 2 --csv marks.csv --stream games.jsonl",
    "tournament cup.toml --set rounds=1",
    "tournament cup.toml --print-plan --memory 1G",
    "tree ladrillos:3 alphabeta:cuts=shallow/root --svg tree.svg",
    "tune connect:4x4x3 --features lines --method cmaes --pairs 2 --budget 2gen --save champion",
    "tune connect:4x4x3 --method grid --set steps=2 --objective gauntlet --opponent first --print-plan",
    "tune plan.toml --set seed=2 --keep-games --no-cohort",
    "tune plan.toml --print-plan --json",
    "weights mastergoal:1 hand-level1 --games 2",
];

/// Files that lines name.
pub(super) const FILES: [(&str, &str); 5] = [
    (
        "plan.toml",
        "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\npairs = 2\nseed = 4\n\
         objective = { name = \"gauntlet\", opponents = [\"rival-4\", \"random\"] }\n\
         method = { name = \"cmaes\", lambda = 4 }\n[budget]\ngenerations = 2\n[test]\npairs = 10\ncontrols = false\n",
    ),
    (
        "cup.toml",
        "name = \"cup\"\ngame = \"connect:4x4x3\"\nformat = \"swiss\"\nrounds = 2\nopening_plies = 2\n\
         points = \"3/1/0\"\n[[players]]\ntemplate = \"greedy/threes\"\ngrid = [0, 1]\nstep = 1\n",
    ),
    (
        "compare.toml",
        "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\nseeds = 2\n\
         checkpoints = [40, 80]\n[gauntlet]\nopponents = [\"random\"]\nopening_plies = 3\npairs = 4\n\
         [[methods]]\nname = \"spsa\"\n[[methods]]\nname = \"cmaes\"\nlabel = \"small\"\nlambda = 6\n",
    ),
    (
        "certify.toml",
        "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\npoints = \"1/0/-1\"\nmethod = \"random\"\n\
         [objective]\nname = \"gauntlet\"\nopponents = [\"rival-0\", \"rival-4\"]\n",
    ),
    (
        "results.csv",
        "first,second,wins,draws,losses\nA,B,18,9,3\n\"B, revised\",A,3,9,18\nB,A,4,5,6\nC,\"B, revised\",1,1,1\n",
    ),
];

/// Commands that read lines, each with a name for the report and its input.
pub(super) const TYPED: [(&str, &str, &str); 6] = [
    ("play", "play connect4 --second random", "4\nundo\nhint\n4\n3\nresign\nquit\n"),
    ("moves", "play kalah:6x4 --first human --second random --json", "1\n2\n3\n4\nquit\n"),
    (
        "ugi",
        "engine serve connect4 grid-5",
        "ugi\nisready\nuginewgame\nposition startpos moves 4 4\ngo movetime 100\nquery result\nquit\n",
    ),
    (
        "setup",
        "engine serve kalah:6x4 mcts:playouts=50",
        "ugi\nposition startpos\ngo nodes 500\nstop\nstatus\nquit\n",
    ),
    ("judge", "engine judge conecta-c grid-5", "1\n7 6 4\n3\n4\n-1\n"),
    ("layer", "engine judge ladrillos random", "5\n1\na1h\nb2v\n"),
];
