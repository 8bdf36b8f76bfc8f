import { describe, expect, it } from 'vitest';
import { budgetChoices, budgetsFor } from '../../src/index.js';
import { collected } from '../support/lines.js';

const trace = () =>
  collected(
    { type: 'page', id: 0, step: 0, tok: 100, kind: 'user' },
    { type: 'page', id: 1, step: 0, tok: 300, kind: 'user' },
    { type: 'page', id: 2, step: 0, tok: 600, kind: 'user' },
    { type: 'step', i: 0, ms: 0, out: 1, needs: [] },
  );
const budgets = async (...texts: string[]) => budgetsFor(await trace(), budgetChoices(texts));

describe('budgets of a study', () => {
  it('takes a range of shares or of tokens, both ends in it', async () => {
    expect((await budgets('60%..100%:3')).budgets).toEqual([600, 800, 1_000]);
    expect((await budgets('1k..2k:5')).budgets).toEqual([1_000, 1_250, 1_500, 1_750, 2_000]);
    expect((await budgets('70%..100%')).budgets).toHaveLength(10);
  });

  it('puts them in order, each once', async () => {
    expect((await budgets('1k', '80%..100%:3', '700')).budgets).toEqual([700, 800, 900, 1_000]);
  });

  it('refuses a budget that no request could hold the largest page in, and says what would do', async () => {
    await expect(budgets('1k', '500')).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('page 2 has 600') as string,
      hint: expect.stringContaining('take 600 or more, 60% of this trace') as string,
    });
  });

  it('leaves those of a range out instead, and says which; but refuses a range of which nothing is left', async () => {
    expect(await budgets('20%..100%:5')).toEqual({ budgets: [600, 800, 1_000], leftOut: [200, 400] });
    await expect(budgets('10%..50%:3')).rejects.toMatchObject({ code: 'E_CONFIG' });
  });

  it.each(['5%..', '50%..5%', '5%..20k', '5%..50%:1', '5%..50%:x', '..'])(
    'takes "%s" for no range, and says what one looks like',
    (text) => {
      expect(() => budgetChoices([text])).toThrow(
        expect.objectContaining({ code: 'E_CONFIG', hint: expect.stringContaining('5%..100%:10') }),
      );
    },
  );
});
