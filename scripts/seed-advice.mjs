// What the tuning advice of heph's and Bi's own documents costs: tables in Markdown. Needs dist/.
//   node scripts/seed-advice.mjs PATH…   prints them for other sessions
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const intro = `# What the tuning advice of heph and Bi costs

Bi's documentation says to lower \`recent_turns_full\` where contexts are expensive, to raise it to 10–15 for long work, and that lowering
it or leaving it alone costs short tasks nothing; its summary moves on with a slack of two turns. heph's says that its default,
\`recent_turns = 0\`, saves most, and that each turn kept whole is paid for again at every turn start. Savings are against full history;
\`harness\` is the same with the cache markers of the recorded harness. \`node scripts/seed-advice.mjs PATH…\` prints this for other sessions.
`;

const bi = { turns: [2, 3, 4, 6, 10, 12, 15], slacks: [0, 1, 2, 4] };
const heph = [0, 1, 2, 3, 4];

/** The report over several corpora: each a name and its paths. */
export function adviceReport(corpora) {
  return [intro, ...corpora.map(([name, paths]) => `## ${name}\n\n${seedAdvice(paths)}\n`)].join('\n');
}

/** The tables for some sessions. */
function seedAdvice(paths) {
  const rows = replay(paths, [`bi:recent_turns_full=${bi.turns},slack=${bi.slacks}`, `heph:recent_turns=${heph}`]);
  const ofBi = (turns, slack) => rows.find((row) => row.label === `bi:recent_turns_full=${turns},slack=${slack}`);
  const ofHeph = (turns) => rows.find((row) => row.label === `heph:recent_turns=${turns}`);
  return [
    'Bi, `recent_turns_full` with its slack of 2 (default 6):',
    table(bi.turns.map((turns) => [String(turns), ofBi(turns, 2)])),
    'Bi, saving by `recent_turns_full` (down) and `slack` (across):',
    grid(bi.turns, bi.slacks, ofBi),
    'heph, `recent_turns` (default 0), folding included:',
    table(heph.map((turns) => [String(turns), ofHeph(turns)])),
  ].join('\n\n');
}

function replay(paths, policies) {
  const named = policies.flatMap((policy) => ['--policy', policy]);
  const out = execFileSync(
    process.execPath,
    ['dist/cli/main.js', 'replay', ...paths, '-q', '--format', 'json', ...named],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  return JSON.parse(out).rows;
}

function table(named) {
  const lines = named.map(([name, row]) => {
    const interval = row.ci95 ? row.ci95.map(percent).join(' to ') : '(few)';
    const counts = [row.sessions.cheaper, row.sessions.dearer, row.sessions.neverFired];
    return [name, percent(row.saving), interval, percent(row.savingRecordedMarkers), row.verdict, ...counts];
  });
  const head = ['turns', 'saving', '95 % interval', 'harness', 'verdict', 'cheaper', 'dearer', 'not fired'];
  return markdown(head, lines);
}

function grid(turns, slacks, rowOf) {
  return markdown(
    ['turns', ...slacks],
    turns.map((n) => [n, ...slacks.map((slack) => percent(rowOf(n, slack).saving))]),
  );
}

function markdown(head, lines) {
  return [head, head.map(() => '---:'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function percent(share) {
  if (share === null) return '-';
  const text = (share * 100).toFixed(1);
  return `${Number(text) > 0 ? '+' : ''}${Number(text) === 0 ? '0.0' : text} %`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(seedAdvice(process.argv.slice(2)));
