import type { Lineage } from '@pagefault/contracts';

/** A lineage as one bound value, read by `LINEAGE`. */
export function lineageValue(lineage: Lineage): string {
  return JSON.stringify(lineage.map(({ pid, upTo, documents }) => ({ pid, upto: upTo, ...documents })));
}

/** A table `l(num, erased_to, upto, messages, passages)` out of the first bound value; the last two may be null: no cut. */
export function lineageTable(schema: string): string {
  return `(select p.num, p.erased_to, given.upto, given.messages, given.passages
           from json_to_recordset($1::json) given(pid text, upto bigint, messages bigint, passages bigint)
           join ${schema}.processes p on p.pid = given.pid collate "C") l`;
}
