import { describe, expect, it } from 'vitest';
import { type Manifest, pageOf, type Study } from '../../src/index.js';

const rows = [{ policy: 'lru <b>', faults: 12 }];
const columns = [
  { key: 'policy', title: 'policy', unit: 'text' },
  { key: 'faults', title: 'faults', unit: 'count' },
] as const;
const study: Study = {
  command: 'curve',
  title: 'Faults over budgets',
  subtitle: 'weekly: 33 annotated needs; not ranked, for that takes 200 of one kind',
  rankable: false,
  tables: [{ name: 'rows', title: 'Rows', columns, rows }],
  views: [{ name: 'rows', title: 'Rows', columns, rows }],
  charts: ['a', 'b'].map((name) => ({
    name,
    title: `Chart ${name}`,
    subtitle: 'weekly',
    x: { title: 'x', unit: 'tokens' },
    y: { title: 'y', unit: 'ratio' },
    series: [
      {
        name: 'lru',
        role: 'policy',
        points: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
  })),
  notes: ['a note'],
};
const manifest: Manifest = {
  pagefault: 'lab manifest',
  v: 1,
  program: '0.1.0',
  command: 'curve',
  request: {},
  traces: [{ id: 'weekly', path: 'weekly.jsonl', sha256: 'a'.repeat(64) }],
  policies: [{ name: 'lru', version: 1 }],
  setup: { flushShare: 1 },
  seed: 1,
  prices: { model: 'claude-sonnet-5-5', asOf: '2026-11-05', rates: {} },
  tables: {},
  files: [],
};

describe('the page of a study', () => {
  it('needs nothing from elsewhere: no script, no link, no font, no picture', async () => {
    const page = await pageOf(study, manifest);
    expect(page).not.toMatch(/<script|<link|<img|@import|url\((?!#)|src=/);
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).toContain('color-scheme: light dark');
  });

  it('gives each drawing names of its own, for they share one page', async () => {
    const page = await pageOf(study, manifest);
    const [a, b] = ['a', 'b'].map((name) => new Set(page.match(new RegExp(`"${name}-\\d+"`, 'g'))));
    expect(a?.size).toBeGreaterThan(0);
    expect(b?.size).toBe(a?.size);
  });

  it('says what it was made of, and that it is not ranked; names are text, not markup', async () => {
    const page = await pageOf(study, manifest);
    expect(page).toContain('class="subtitle caution"');
    expect(page).toContain('not ranked, for that takes 200');
    expect(page).toContain('a'.repeat(64));
    expect(page).toContain('lru (version 1)');
    expect(page).toContain('prices of claude-sonnet-5-5 as of 2026-11-05');
    expect(page).toContain('lru &lt;b&gt;');
    expect(page).not.toContain('lru <b>');
  });
});
