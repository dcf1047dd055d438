// Plays the first column of ORDER that is not full.
const ORDER = '4352617';
let moves = [];
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === 'ugi') console.log('id name javascript\nugiok');
  else if (words[0] === 'isready') console.log('readyok');
  else if (words[0] === 'position') moves = words.slice(3);
  else if (words[0] === 'go') {
    const free = (column) => moves.filter((move) => move === column).length < 6;
    console.log('bestmove ' + [...ORDER].find(free));
  } else if (words[0] === 'quit') process.exit(0);
});
