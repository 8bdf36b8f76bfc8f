/** A study as one page that needs nothing else: no script, no network, and as light or dark as its reader likes it. */
import type { Study } from '../run/study.js';
import { shown, type Table } from '../run/table.js';
import type { Manifest } from '../run/manifest.js';
import { escaped, svgOf } from './svg.js';

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --faint: #59636e; --line: #d1d9e0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #9198a1; --line: #3d444d; } }
body { margin: 2rem auto; max-width: 1040px; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.subtitle { font-size: 1.05rem; margin-top: .2rem; } .caution { border-left: 4px solid #d55e00; padding: .3rem .8rem; }
.note, figcaption, footer { color: var(--faint); } figure { margin: 1.5rem 0; } svg { width: 100%; height: auto; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
.number { text-align: right; } code { overflow-wrap: anywhere; } summary { cursor: pointer; }
`;

/** Tables of more rows than this are folded. */
const MOST_OPEN = 40;

export async function pageOf(study: Study, manifest: Manifest): Promise<string> {
  const charts = await Promise.all(
    study.charts.map(async (chart) => `<figure>${await svgOf(chart)}</figure>`),
  );
  const caution = study.rankable ? '' : ' caution';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(study.title)} – ${escaped(manifest.traces.map(({ id }) => id).join(', '))}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(study.title)}</h1>
<p class="subtitle${caution}">${escaped(study.subtitle)}</p>
${study.notes.map((note) => `<p class="note">${escaped(note)}</p>`).join('\n')}
${charts.join('\n')}
${study.views.map(tableOf).join('\n')}
${origin(manifest)}
</body>
</html>
`;
}

function tableOf(table: Table): string {
  const heads = table.columns.map(({ title, unit }) => cell('th', title, unit === 'text'));
  const rows = table.rows.map((row) => {
    const cells = table.columns.map(({ key, unit }) => cell('td', shown(row[key], unit), unit === 'text'));
    return `<tr>${cells.join('')}</tr>`;
  });
  const body = `<div class="wide"><table><thead><tr>${heads.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
  const title = `<h2>${escaped(table.title)}</h2>`;
  if (rows.length <= MOST_OPEN) return title + body;
  return `${title}<details><summary>${rows.length} rows</summary>${body}</details>`;
}

function cell(tag: 'th' | 'td', text: string, isText: boolean): string {
  return `<${tag}${isText ? '' : ' class="number"'}>${escaped(text)}</${tag}>`;
}

function origin({ program, traces, policies, prices, seed, setup }: Manifest): string {
  const lines = [
    ...traces.map(({ id, sha256 }) => `trace ${id}, SHA-256 ${sha256}`),
    `policies: ${policies.map(({ name, version }) => `${name} (version ${version})`).join(', ')}`,
    `setup: ${JSON.stringify(setup)}, seed ${seed}`,
    `prices of ${prices.model}${prices.asOf === undefined ? '' : ` as of ${prices.asOf}`}`,
    `made by pagefault ${program}`,
  ];
  const items = lines.map((line) => `<li>${escaped(line)}</li>`).join('\n');
  return `<footer><h2>What it was made of</h2>
<ul>
${items}
</ul>
<p><code>pagefault lab again manifest.json</code> makes it again and says whether the rows are the same.</p></footer>`;
}
