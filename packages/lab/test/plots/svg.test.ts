import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { type Chart, type Series, svgFile } from '../../src/index.js';

const policy = (name: string, at: number): Series => ({
  name,
  role: 'policy',
  points: [1_000, 2_000, 4_000].map((x) => [x, 80 - at * 2 + x / 1_000] as const),
});
const NAMES = Array.from({ length: 20 }, (_, at) => `policy-${at}`);
const BOUND: Series = {
  name: 'lower bound',
  role: 'bound',
  points: [
    [1_000, 9],
    [4_000, 3],
  ],
};
const chart: Chart = {
  name: 'faults',
  title: 'Faults over budgets',
  subtitle: 'weekly: 33 <annotated> needs; not ranked, for that takes 200 of one kind',
  x: { title: 'budget (tokens)', unit: 'tokens' },
  y: { title: 'faults (% of needs)', unit: 'ratio' },
  series: [...NAMES.map(policy), BOUND],
};

/** Well-formed, or the parser throws. */
function parsed(svg: string) {
  const document = new DOMParser({
    onError: (_, message) => {
      throw new Error(message);
    },
  }).parseFromString(svg, 'image/svg+xml');
  return {
    document,
    texts: [...document.getElementsByTagName('text')].map((node) => node.textContent ?? ''),
    paths: [...document.getElementsByTagName('path')],
    title: document.getElementsByTagName('title')[0]?.textContent,
    description: document.getElementsByTagName('desc')[0]?.textContent,
    root: document.documentElement,
  };
}

/** How far down a text stands. */
function placeOf(document: ReturnType<typeof parsed>['document'], text: string): number {
  const found = [...document.getElementsByTagName('text')].find((node) => node.textContent === text);
  return Number(/translate\([\d.]+ ([\d.]+)\)/.exec(found?.getAttribute('transform') ?? '')?.[1]);
}

/** Lines that are drawn, by the attribute that the library gives to each series. */
const strokesOf = ({ paths }: ReturnType<typeof parsed>, width: string) =>
  paths.filter((path) => path.getAttribute('fill') === 'none' && path.getAttribute('stroke-width') === width);

describe('a chart as SVG', () => {
  it('is well-formed, with title, subtitle and axes named in units', async () => {
    const { texts, title, description, root } = parsed(await svgFile(chart));
    expect(title).toBe(chart.title);
    expect(description).toBe(chart.subtitle);
    expect(root?.getAttribute('role')).toBe('img');
    expect(texts).toEqual(expect.arrayContaining([chart.title, 'budget (tokens)', 'faults (% of needs)']));
    expect(texts.join(' ')).toContain('not ranked');
  });

  it('has one line and one name a policy, no two alike, with twenty of them', async () => {
    const drawn = parsed(await svgFile(chart));
    for (const name of NAMES) expect(drawn.texts.filter((text) => text === name)).toHaveLength(1);
    const looks = strokesOf(drawn, '2')
      .filter((path) => (path.getAttribute('d') ?? '').split('L').length === 3)
      .map((path) => `${path.getAttribute('stroke')} ${path.getAttribute('stroke-dasharray') ?? 'solid'}`);
    expect(new Set(looks).size).toBe(NAMES.length);
  });

  it('draws the bound as nothing else is: thick, in the colour of the text, over what cannot be', async () => {
    const drawn = parsed(await svgFile(chart));
    const [bound, ...others] = strokesOf(drawn, '3.5');
    expect(bound?.getAttribute('stroke')).toBe('currentColor');
    expect(others).toEqual([]);
    expect(drawn.texts).toContain('lower bound');
    expect(drawn.paths.some((path) => path.getAttribute('fill-opacity') === '0.08')).toBe(true);
  });

  it('sets the names of lines from top to bottom apart, above it, where they would meet', async () => {
    const at = (x: number, name: string) => ({ name, axis: 'x', at: x, role: 'limit' }) as const;
    const marks = [
      at(2_000, 'the first of them from 2,000'),
      at(2_050, 'the second from 2,050'),
      at(3_900, 'far off'),
    ];
    const { document } = parsed(await svgFile({ ...chart, marks }));
    const heights = marks.map(({ name }) => placeOf(document, name));
    expect(heights[0]).toBeGreaterThan(heights[1] ?? Infinity);
    expect(heights[2]).toBe(heights[0]);
  });

  it('draws nothing left of the axis, also where a value by itself stands on it', async () => {
    const series: Series[] = [
      { name: 'lone', role: 'foresight', points: [[0, 0]] },
      {
        ...policy('line', 1),
        points: [
          [0, 0],
          [9, 9],
        ],
      },
    ];
    const offsets = async (least: number) => {
      const svg = await svgFile({ ...chart, x: { ...chart.x, least }, series: [...series] });
      return parsed(svg)
        .paths.map((path) => /matrix\(20,0,0,1,([\d.]+),/.exec(path.getAttribute('transform') ?? '')?.[1])
        .filter((place) => place !== undefined)
        .map(Number);
    };
    // Half of it is 20 wide, and the axis stands at 90.
    expect(await offsets(0)).toEqual([110]);
    expect((await offsets(-9))[0]).toBeGreaterThan(110);
  });

  it('reaches to each line across, and draws one value by itself as a dash', async () => {
    const alone = [policy('one', 0), BOUND].map((one) => ({ ...one, points: one.points.slice(0, 1) }));
    const marks = [{ name: 'far above', axis: 'y', at: 400, role: 'limit' }] as const;
    const drawn = parsed(await svgFile({ ...chart, series: alone, marks }));
    expect(drawn.texts).toEqual(expect.arrayContaining(['far above', '400']));
    const dashes = drawn.paths.filter((path) =>
      (path.getAttribute('transform') ?? '').startsWith('matrix(20,0,0,2'),
    );
    expect(dashes.length).toBeGreaterThan(0);
  });

  it('tells tokens as budgets are given, and counts in full', async () => {
    const { texts } = parsed(
      await svgFile({ ...chart, y: { title: 'faults', unit: 'count', least: 0, most: 1_500 } }),
    );
    expect(texts).toEqual(expect.arrayContaining(['1k', '4k', '1,500']));
  });

  it('is the same bytes each time, whatever was drawn before', async () => {
    const first = await svgFile(chart);
    await svgFile({ ...chart, name: 'other', series: [BOUND] });
    expect(await svgFile(chart)).toBe(first);
  });

  it('leaves hollow what knows the needs to come, whatever the page: nothing is filled with white', async () => {
    const foreseen = {
      name: 'farthest-need',
      role: 'foresight',
      draw: 'points',
      points: BOUND.points,
    } as const;
    const svg = await svgFile({ ...chart, series: [policy('one', 0), foreseen] });
    expect(svg).not.toMatch(/fill="(#fff|#ffffff|white)"/);
    const hollow = parsed(svg).paths.filter((path) => path.getAttribute('stroke-width') !== null);
    expect(hollow.some((path) => /^(none|transparent)$/.test(path.getAttribute('fill') ?? ''))).toBe(true);
  });

  it('asks for nothing from elsewhere, and follows light and dark', async () => {
    const svg = await svgFile(chart);
    expect(svg).not.toMatch(/<script|href="|url\(["']?http/);
    expect(svg).toContain('prefers-color-scheme:dark');
  });

  it('grows with its names, so that none is cut off', async () => {
    const many = Array.from({ length: 45 }, (_, at) => policy(`policy-${at}`, at));
    const { root, texts } = parsed(await svgFile({ ...chart, series: many }));
    expect(Number(root?.getAttribute('height'))).toBeGreaterThan(45 * 16);
    expect(texts).toContain('policy-44');
  });
});
