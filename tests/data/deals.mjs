// A second implementation of the PY1-N- generator, in another language and from the words of its description alone.
// It wrote deals.json:  node tests/data/deals.mjs > tests/data/deals.json

const BITS64 = (1n << 64n) - 1n;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

// The base order of generator version 1.
const BASE =
  "3C AC 6C 3D 4D AS 10H 6H AH 7D 5D 10S 10C JD 8S 3S 8D 7C 2S 7H QS 5C 2H 8H KC KH " +
  "QH 5H 2C 6D 9S 9H 6S KS QC KD 4H JH JS 7S 3H 2D JC QD AD 9D 9C 5S 10D 4S 8C 4C";

function* splitMix64(state) {
  for (;;) {
    state = (state + 0x9e3779b97f4a7c15n) & BITS64;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & BITS64;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & BITS64;
    yield z ^ (z >> 31n);
  }
}

let refused = 0;

function below(n, numbers) {
  const whole = ((1n << 64n) / n) * n;
  for (;;) {
    const number = numbers.next().value;
    if (number < whole) return Number(number % n);
    refused += 1;
  }
}

function shuffled(items, seed) {
  const order = [...items];
  const numbers = splitMix64(seed);
  for (let i = order.length - 1; i >= 1; i -= 1) {
    const j = below(BigInt(i + 1), numbers);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function seedOf(code) {
  return [...code.slice("PY1-N-".length)].reduce((seed, letter) => seed * 32n + BigInt(LETTERS.indexOf(letter)), 0n);
}

const codes = [
  "PY1-N-AAAAAAA", "PY1-N-AAAAAAB", "PY1-N-AAAAAAJ", "PY1-N-AAAAAAS", "PY1-N-AAAAABA", "PY1-N-BAAAAAA",
  "PY1-N-PYRAMID", "PY1-N-KINGKIN", "PY1-N-QUEENAS", "PY1-N-Z234567", "PY1-N-7777776", "PY1-N-7777777",
];
const deals = codes.map((code) => ({ code, seed: Number(seedOf(code)), cards: shuffled(BASE.split(" "), seedOf(code)).join(" ") }));

// 64-bit seeds whose first number is 2**64 - 1, - 16 and - 17 (the generator run backwards). As 2**64 = 16 modulo 52, the
// first draw of a deal refuses the first two and takes the third.
const edges = ["3558559446808474027", "9221024062816390653", "8612849474949488056"];
const numbers = Array.from({ length: 52 }, (_, i) => i);
const shuffles = ["0", "1", "18", "18446744073709551615", ...edges].map((seed) => {
  refused = 0;
  const order = shuffled(numbers, BigInt(seed));
  return { seed, refused, order };
});

const rows = (list) => "[\n" + list.map((entry) => "    " + JSON.stringify(entry)).join(",\n") + "\n  ]";
console.log(`{\n  "source": "written by tests/data/deals.mjs",\n  "deals": ${rows(deals)},\n  "shuffles": ${rows(shuffles)}\n}`);
