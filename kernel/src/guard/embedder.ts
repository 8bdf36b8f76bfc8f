import type { Bill, EmbedderDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { spendOf } from '../core/spend.js';
import { Lifecycle } from './lifecycle.js';
import { headOf } from './recall.js';

/** Checks what an embedder promises: one vector a text, of its dimension. */
export function guardEmbedder(driver: EmbedderDriver): EmbedderDriver {
  const life = new Lifecycle(driver, 'E_PROTOCOL');
  return {
    ...headOf(driver, life),
    embed: (texts, signal, purpose = 'document', onBill) =>
      life.call('embed', signal, async () => {
        if (texts.length === 0) return [];
        const vectors = await driver.embed(
          texts,
          signal,
          purpose,
          onBill && ((bill) => onBill(priced(bill, driver))),
        );
        const { dimension } = driver.supports;
        if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimension)) {
          const got = `${vectors.length} vectors of ${vectors[0]?.length ?? 0}`;
          const wanted = `${texts.length} of ${dimension}`;
          throw new PagefaultError('E_DIMENSION', `${driver.name} gave ${got}, not ${wanted}`, {
            driver: driver.name,
          });
        }
        return vectors;
      }),
  };
}

/** What it cost, unless the driver has said so. */
function priced(bill: Bill, { supports: { price } }: EmbedderDriver): Bill {
  if (bill.spend !== undefined || price === undefined) return bill;
  const spend = spendOf(bill.usage, { input: price, cached: price, written: price, output: price });
  return spend === undefined ? bill : { ...bill, spend };
}
