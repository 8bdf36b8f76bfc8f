/**
 * What is spent on a process beside its turns: by `ask`, whose turns are thrown away, and on embeddings. It is a row of its
 * own, which any kernel adds to; what cannot be written is written with what comes next, and counts meanwhile.
 */
import type { Json, Pid, RecallDriver, Row } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import { type Bills, mergeBills, type NamedBill, spendOfBills, withBill } from '../../core/bills.js';
import { BESIDE_ROW } from '../../core/spend.js';
import { PROCESS_ROW } from '../storage.js';
import type { Spending } from './spending.js';

export class Ledger {
  readonly #recall: RecallDriver;
  readonly #spending: Spending;
  readonly #waiting = new Map<Pid, Bills>();
  #writing: Promise<void> = Promise.resolve();

  constructor(recall: RecallDriver, spending: Spending) {
    [this.#recall, this.#spending] = [recall, spending];
  }

  /** Returns at once. */
  note(pid: Pid, bill: NamedBill): void {
    this.#spending.heard(pid, [bill], undefined);
    this.add(pid, withBill({}, bill));
  }

  /** Returns at once: nobody who searches or indexes waits for it. */
  add(pid: Pid, bills: Bills): void {
    if (Object.keys(bills).length === 0) return;
    this.#waiting.set(pid, mergeBills(this.#waiting.get(pid) ?? {}, bills));
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** Resolves when all that could be written is. */
  settle(): Promise<void> {
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const waiting = new Map(this.#waiting);
    this.#waiting.clear();
    for (const [pid, bills] of waiting) {
      await this.#addTo(pid, bills).catch(() => {
        this.#waiting.set(pid, mergeBills(bills, this.#waiting.get(pid) ?? {}));
      });
    }
  }

  async #addTo(pid: Pid, bills: Bills): Promise<void> {
    for (;;) {
      const rows = await this.#recall.get(pid, [PROCESS_ROW, BESIDE_ROW]);
      const process = rows.find(({ space }) => space === PROCESS_ROW.space);
      if (!process) return; // It was erased: there is nobody left to charge.
      const row = rows.find(({ space }) => space === BESIDE_ROW.space);
      const sum = mergeBills(billsIn(row), bills);
      const microDollars = spendOfBills(sum);
      try {
        await this.#recall.commit({
          pid,
          puts: [{ ...BESIDE_ROW, value: { microDollars, bills: sum as unknown as Json } }],
          expect: [
            { ...PROCESS_ROW, version: process.version },
            { ...BESIDE_ROW, version: row?.version ?? 0 },
          ],
        });
        return this.#spending.besides(pid, microDollars);
      } catch (error) {
        if (!hasCode(error, 'E_CONFLICT')) throw error;
      }
    }
  }
}

export function billsIn(row: Pick<Row, 'value'> | undefined): Bills {
  const { bills } = (row?.value ?? {}) as { readonly bills?: Bills };
  return bills ?? {};
}

/** What was spent on a process beside its turns. */
export async function billsBeside(recall: RecallDriver, pid: Pid): Promise<Bills> {
  const [row] = await recall.get(pid, [BESIDE_ROW]);
  return billsIn(row);
}
