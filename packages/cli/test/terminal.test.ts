import { PagefaultError } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coloursFor,
  createProgress,
  displayWidth,
  fitWidth,
  formatBytes,
  formatDuration,
  formatError,
  formatNumber,
  formatPercent,
  formatTable,
  renderProgress,
} from '../src/terminal/index.js';

describe('numbers for people', () => {
  it.each([
    [formatNumber(0), '0'],
    [formatNumber(-1234567), '-1,234,567'],
    [formatNumber(1234.5678, 2), '1,234.57'],
    [formatNumber(Number.NaN), '–'],
    [formatPercent(0.7005), '70.0 %'],
    [formatDuration(0.4), '0 ms'],
    [formatDuration(999.6), '1.0 s'],
    [formatDuration(59_960), '1 min'],
    [formatDuration(245_000), '4 min 5 s'],
    [formatDuration(3_599_700), '1 h'],
    [formatDuration(7_800_000), '2 h 10 min'],
    [formatDuration(86_399_000), '1 d'],
    [formatDuration(273_600_000), '3 d 4 h'],
    [formatBytes(999), '999 B'],
    [formatBytes(1500), '1.5 kB'],
    [formatBytes(999_960), '1.0 MB'],
    [formatBytes(23_400_000), '23 MB'],
  ])('are written %s', (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe('widths', () => {
  it.each([
    ['plain', 5],
    ['日本語', 6],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['\u001b[31mred\u001b[39m', 3],
    ['ｱ', 1],
    ['', 0],
  ])('of %j are counted in columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('never grow beyond what was asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        expect(displayWidth(fitWidth(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('are kept by cutting whole characters', () => {
    expect(fitWidth('日本語', 4)).toBe('日…');
    expect(fitWidth('a\n b', 9)).toBe('a b');
  });

  it('lose what would move the cursor or turn the line round, and keep colours', () => {
    const name = '\u001b[2J\u001b[31mada\u001b[39m\u0007\u009b2J \u202egpj\u2069';
    expect(fitWidth(name, 40)).toBe('[2J\u001b[31mada\u001b[39m2J gpj');
  });
});

describe('a table', () => {
  it('aligns its columns, also with wide characters, and leaves no space at line ends', () => {
    const columns = [
      { title: 'name' },
      { title: 'tokens', align: 'right' as const },
      { title: 'note', maxWidth: 6 },
    ];
    expect(formatTable(columns, [['日本', '12', 'a longer note'], ['x']]).split('\n')).toEqual([
      'name  tokens  note',
      '日本      12  a lon…',
      'x',
    ]);
  });

  it('of no rows has its titles', () => {
    expect(formatTable([{ title: 'pid' }], [])).toBe('pid');
  });
});

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('on a terminal: %s, with %j, are on: %s', (isTTY, env, on) => {
    expect(coloursFor({ isTTY, env }).red('x') !== 'x').toBe(on);
  });
});

describe('an error for people', () => {
  it('has its code, its message, its causes and what to do', () => {
    const cause = new Error('connect ECONNREFUSED', { cause: new Error('socket closed') });
    const error = new PagefaultError('E_STORAGE', 'the store is away', { hint: 'start it', cause });
    expect(formatError(error)).toBe(
      [
        'error[E_STORAGE]: the store is away',
        '  because: connect ECONNREFUSED',
        '  because: socket closed',
        'hint: start it',
      ].join('\n'),
    );
  });

  it('lets no server’s words command the terminal', () => {
    const cause = new Error('sorry\u001b]0;owned\u0007');
    const error = new PagefaultError('E_REQUEST', 'no\u001b[2J way', { hint: 'ask\u202e again', cause });
    expect(formatError(error)).toBe('error[E_REQUEST]: no[2J way\n  because: sorry]0;owned\nhint: ask again');
  });

  it('does not say the same twice, and survives a ring of causes', () => {
    const error = new PagefaultError('E_CONFIG', 'bad: no such file', { cause: new Error('no such file') });
    expect(formatError(error)).toBe('error[E_CONFIG]: bad: no such file');
    const ring = new PagefaultError('E_CONFIG', 'x', { cause: new Error('y') });
    (ring.cause as Error).cause = ring;
    expect(formatError(ring)).toBe('error[E_CONFIG]: x\n  because: y');
  });

  it('shows a cause that is no error', () => {
    const error = new PagefaultError('E_DATA_DIR', 'disk full', { cause: { name: 'ErrnoError', errno: 51 } });
    expect(formatError(error)).toBe(
      "error[E_DATA_DIR]: disk full\n  because: { name: 'ErrnoError', errno: 51 }",
    );
  });

  it('has a stack when it is not ours', () => {
    expect(formatError(new TypeError('oops'))).toMatch(/^error: oops\n {4}at /);
    expect(formatError('thrown text')).toBe('error: thrown text');
  });
});

describe('progress', () => {
  function screen(isTTY: boolean) {
    const written: string[] = [];
    let time = 0;
    const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) };
    const progress = createProgress({
      stream,
      label: 'feed',
      unit: 'messages',
      total: 2000,
      now: () => time,
    });
    return { written, progress, wait: (span: number) => (time += span) };
  }

  it('shows the share, the counts, the rate and the time left', () => {
    const view = { label: 'feed', done: 500, total: 2000, unit: 'messages', elapsed: 2500, width: 200 };
    expect(renderProgress(view)).toBe(
      'feed [######------------------] 25 % 500 / 2,000 messages 200/s 7.5 s left',
    );
    expect(renderProgress({ ...view, done: 2000 })).toContain('100 % 2,000 / 2,000 messages 800/s in 2.5 s');
  });

  it('does without a total, a rate and room', () => {
    const view = { label: 'feed', done: 3, unit: 'messages', elapsed: 0, width: 80 };
    expect(renderProgress(view)).toBe('feed 3 messages 0.0/s');
    expect(renderProgress({ ...view, total: 0 })).toContain('100 %');
    expect(displayWidth(renderProgress({ ...view, total: 9, width: 20 }))).toBe(20);
  });

  it('redraws one line on a terminal, ten times a second at most', () => {
    const { written, progress, wait } = screen(true);
    for (let done = 1; done <= 10; done += 1) {
      progress.update(done);
      wait(50);
    }
    progress.finish();
    progress.finish();
    expect(written).toHaveLength(6);
    expect(written.every((text) => text.startsWith('\r\u001b[2K') && displayWidth(text.trim()) < 90)).toBe(
      true,
    );
    expect(written.filter((text) => text.endsWith('\n'))).toHaveLength(1);
  });

  it('writes a line every five seconds elsewhere, and none for short work', () => {
    const short = screen(false);
    short.progress.update(2000);
    short.progress.finish();
    expect(short.written).toEqual([]);
    const long = screen(false);
    for (let done = 1; done <= 11; done += 1) {
      long.wait(1000);
      long.progress.update(done);
    }
    long.progress.finish();
    expect(long.written.map((text) => /(\d+) \/ /.exec(text)?.[1])).toEqual(['5', '10', '11']);
  });
});
