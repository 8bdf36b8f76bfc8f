import { fifo, lru, mru, type PagingPolicy } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import {
  type BoundFigures,
  costStudy,
  csvOf,
  curveStudy,
  equalFaultsTable,
  type Experiment,
  factsOf,
  findPricesInBook,
  inputEquivalents,
  billed,
  lineOf,
  paretoFront,
  ratiosOf,
  runCell,
  runGrid,
  runStudy,
  shown,
  type Study,
  sweepStudy,
  whole,
} from '../../src/index.js';
import { collected } from '../support/lines.js';

const MODEL = 'claude-sonnet-5-5';
const prices = findPricesInBook(MODEL);

/** A page of 100 tokens a step, and a need of one of the last eight, seven or three before. */
function traceOf(steps: number) {
  const lines = Array.from({ length: steps }, (_, i) => [
    { type: 'page', id: i, step: i, tok: 100, kind: 'user' },
    {
      type: 'step',
      i,
      ms: i * 1_000,
      out: 5,
      needs: i < 8 ? [] : [{ id: i - (i % 3 === 0 ? 8 : 3), why: 'annotated' }],
    },
  ]);
  return collected(...lines.flat());
}

async function experiment(steps: number, bounds: readonly BoundFigures[] = []): Promise<Experiment> {
  const trace = await traceOf(steps);
  const rows = [
    ...runGrid(trace, {
      policies: [fifo, lru, mru],
      budgets: [500, 1_000, 2_000].map((tokens) => ({ tokens })),
    }),
  ];
  return { facts: factsOf(trace), model: MODEL, prices, rows, bounds, notes: [] };
}

const sweepOptions = { ratios: [0.02, 0.1, 1], fixed: ratiosOf(prices) };
const STUDIES: readonly [string, (of: Experiment) => Study][] = [
  ['run', runStudy],
  ['curve', curveStudy],
  ['cost', costStudy],
  ['sweep', (of) => sweepStudy(of, sweepOptions)],
];

describe.each(STUDIES)('the study %s', (command, study) => {
  it('says on few needs that nothing is ranked: in its subtitle, in each chart, and on each row', async () => {
    const few = study(await experiment(60));
    expect(few.subtitle).toContain('not ranked, for that takes 200 of one kind');
    expect(few.charts.length).toBeGreaterThan(0);
    for (const { subtitle } of few.charts) expect(subtitle).toContain('not ranked');
    expect(few.rankable).toBe(false);
    expect(few.tables[0].rows.every((row) => row['rankable'] === false)).toBe(true);
    expect(few.command).toBe(command);
  });

  it('ranks on enough needs', async () => {
    const many = study(await experiment(300));
    expect(many.subtitle).toContain('policies in the order of their');
    expect(many.tables[0].rows.every((row) => row['rankable'] === true)).toBe(true);
  });

  it('draws the bound in every chart, as a bound', async () => {
    const bounds = [500, 1_000, 2_000].map((budget) => ({ budget, faults: 3, cost: 40_000 }));
    const made = await experiment(300, bounds);
    const { charts, tables } =
      command === 'sweep'
        ? sweepStudy(made, {
            ...sweepOptions,
            bounds: bounds.flatMap(({ budget, cost }) =>
              sweepOptions.ratios.map((ratio) => ({ budget, ratio, cost })),
            ),
          })
        : study(made);
    for (const { series } of charts) {
      expect(series.filter(({ role }) => role === 'bound').map(({ name }) => name)).toEqual(['lower bound']);
      expect(series.filter(({ role }) => role === 'foresight')).toHaveLength(2);
    }
    expect(tables[0].rows.filter(({ kind }) => kind === 'bound').length).toBeGreaterThan(0);
  });

  it('tells programs each key that a row has', async () => {
    for (const { columns, rows } of study(await experiment(300)).tables) {
      const keys = new Set(columns.map(({ key }) => key));
      for (const row of rows) for (const key of Object.keys(row)) expect(keys).toContain(key);
    }
  });
});

describe('curve', () => {
  it('has a line a policy over all budgets, and a table with a column for each', async () => {
    const { charts, views } = curveStudy(await experiment(300));
    expect(charts[0]?.series.map(({ name, points }) => `${name} ${points.length}`)).toEqual([
      'fifo 3',
      'lru 3',
      'mru 3',
      'farthest-need 3',
      'farthest-need-by-size 3',
    ]);
    expect(views[0]?.columns.map(({ title }) => title)).toEqual(['policy', '500', '1,000', '2,000']);
    expect(views[0]?.rows.map(({ policy }) => policy)).toContain('mru');
  });
});

describe('cost', () => {
  const run = (policy: string, cost: number, faultRate: number) => ({ policy, cost, faultRate });

  it('keeps those that nothing equals or betters in both, the cheapest first', () => {
    const rows = [
      run('dear', 9, 0.1),
      run('cheap', 1, 0.5),
      run('beaten', 5, 0.6),
      run('same', 1, 0.5),
      run('middle', 4, 0.2),
    ];
    expect(paretoFront(rows).map(({ policy }) => policy)).toEqual(['cheap', 'middle', 'dear']);
  });

  it('compares costs at equal fault rates: the least among the budgets with no more faults', () => {
    const row = (policy: string, faultRate: number, cost: number) => ({
      policy,
      faultRate,
      cost,
      kind: 'policy',
    });
    const { rows } = equalFaultsTable([
      row('a', 0.5, 10),
      row('a', 0.15, 30),
      row('a', 0.02, 25),
      row('b', 0.19, 20),
      row('b', 0.5, 21),
      { ...row('least', 0, 1), kind: 'bound' },
    ]);
    const none = { faults5: null, faults10: null };
    expect(rows).toEqual([
      { policy: 'a', faults5: 25, faults10: 25, faults20: 25, faults40: 25, faults60: 10, faults80: 10 },
      { policy: 'b', ...none, faults20: 20, faults40: 20, faults60: 20, faults80: 20 },
    ]);
  });

  it('holds no run against others that is over its budget in more than a twentieth of its steps', async () => {
    const of = await experiment(220);
    const [first, ...others] = of.rows.filter(({ budget }) => budget === 500);
    if (!first) throw new Error('no row');
    const over = (overflows: number) => {
      const rows = [{ ...first, report: { ...first.report, overflows, faults: 0 } }, ...others];
      return costStudy({ ...of, rows });
    };
    const front = (study: Study) => study.views.find(({ name }) => name === 'pareto')?.rows;
    expect(front(over(11))).toMatchObject([{ policy: 'fifo', budget: 500 }]);
    expect(front(over(12))).not.toContainEqual(expect.objectContaining({ policy: 'fifo', budget: 500 }));
    expect(over(12).notes.at(-1)).toBe(
      'not held against others, being over the budget in more than 5 % of steps: fifo at 500',
    );
    expect(over(11).notes.join()).not.toContain('not held against others');
  });

  it('draws stairs below cost against faults: at each rate the least that any budget allows, and no run below', async () => {
    const figures = [
      [500, 90, 10_000],
      [1_000, 30, 20_000],
      [2_000, 30, 90_000],
    ] as const;
    const bounds = figures.map(([budget, faults, cost]) => ({ budget, faults, cost }));
    const { charts } = costStudy(await experiment(300, bounds));
    const series = charts.find(({ name }) => name === 'pareto')?.series ?? [];
    const stairs = series.find(({ role }) => role === 'bound');
    const runs = series.filter(({ role }) => role === 'policy').flatMap(({ points }) => points);
    const right = Math.max(...runs.map(([rate]) => rate));
    const [thirty, ninety] = [3_000 / 292, 9_000 / 292];
    expect(stairs?.draw).toBe('steps');
    // The larger budget allows no fewer faults, and costs more: it adds nothing.
    expect(stairs?.points).toEqual([
      [thirty, Math.max(...runs.map(([, cost]) => cost))],
      [thirty, 20_000],
      [ninety, 10_000],
      [Math.max(right, ninety), 10_000],
    ]);
  });

  it('calls no run the best of those that cannot be ranked', async () => {
    const few = costStudy(await experiment(60));
    expect(few.tables[0].rows.every(({ pareto }) => pareto === null)).toBe(true);
    expect(few.views.map(({ name }) => name)).toEqual(['cost', 'dollars']);
    expect(costStudy(await experiment(300)).views.map(({ name }) => name)).toContain('pareto');
  });
});

describe('sweep', () => {
  it('needs one run a policy and budget: its line gives the cost at every price', async () => {
    const { rows } = await experiment(300);
    for (const row of rows) {
      for (const read of [0.02, 0.3, 1]) {
        const ratios = { ...ratiosOf(prices), read };
        const line = lineOf(row, ratios);
        expect(line.fixed + line.slope * read).toBeCloseTo(
          inputEquivalents(whole(billed(row.report)), ratios),
          6,
        );
      }
    }
  });

  it('gives places to policies alone, and none and no flips on few needs', async () => {
    const many = sweepStudy(await experiment(300), sweepOptions);
    const placed = many.tables[0].rows.filter(({ place }) => place !== null);
    expect(new Set(placed.map(({ kind }) => kind))).toEqual(new Set(['policy']));
    expect(placed).toHaveLength(3 * 3 * sweepOptions.ratios.length);
    const few = sweepStudy(await experiment(60), sweepOptions);
    expect(few.tables[0].rows.every(({ place }) => place === null)).toBe(true);
    expect(few.tables[1]).toMatchObject({ name: 'flips', rows: [] });
    expect(few.views.some(({ name }) => name.startsWith('flips'))).toBe(false);
  });
});

describe('rows for programs and people', () => {
  it('puts text that would break a line of CSV into quotes', () => {
    const columns = ['a', 'b', 'c'].map((key) => ({ key, title: key, unit: 'text' as const }));
    expect(csvOf({ columns, rows: [{ a: 'x, "y"', b: null, c: 0.25 }] })).toBe('a,b,c\n"x, ""y""",,0.25');
  });

  it('shows numbers with their unit, and what is not known as a dash', () => {
    expect([
      shown(0.1234, 'share'),
      shown(1234.5, 'tokens'),
      shown(0.12345, 'dollars'),
      shown(null, 'count'),
      shown(Number.NaN, 'count'),
    ]).toEqual(['12.3 %', '1,235', '0.1235', '–', '–']);
  });

  it('names the policy that throws, and its budget', async () => {
    const trace = await traceOf(20);
    const broken = (): PagingPolicy => ({
      ...fifo(),
      id: 'broken',
      victims: () => {
        throw new Error('no such page');
      },
      configure: () => {},
      onBirth: () => {},
      onNeed: () => {},
      onResidency: () => {},
    });
    expect(() => runCell(trace, broken, { budget: 500 })).toThrow(
      expect.objectContaining({
        code: 'E_CONFIG',
        message: 'broken failed at a budget of 500 on made: no such page',
      }),
    );
  });

  it.each([
    ['no list', 'gave 7 at step', 7],
    ['what is to come', 'gave a promise at step', Promise.resolve([1])],
    ['nothing', 'gave undefined at step', undefined],
    ['a page that nobody has seen', 'named 99999 at step', [99_999]],
    ['a part of a page', 'named 1.5 at step', [1.5]],
    ['no page', 'named null at step', [null]],
  ])('stops a policy that names %s, and says so', async (_, told, victims) => {
    const trace = await traceOf(20);
    const wrong = (): PagingPolicy => ({
      ...fifo(),
      id: 'wrong',
      victims: () => victims as readonly number[],
    });
    expect(() => runCell(trace, wrong, { budget: 500 })).toThrow(
      `wrong failed at a budget of 500 on made: victims() ${told}`,
    );
  });
});
