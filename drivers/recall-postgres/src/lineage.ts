import type { Lineage } from '@pagefault/contracts';

/** A lineage as one bound value, read by `LINEAGE`. */
export function lineageValue(lineage: Lineage): string {
  return JSON.stringify(lineage.map(({ pid, upTo }) => ({ pid, upto: upTo })));
}

/** A table `l(num, upto)` out of the first bound value. */
export function lineageTable(schema: string): string {
  return `(select p.num, given.upto from json_to_recordset($1::json) given(pid text, upto bigint)
           join ${schema}.processes p on p.pid = given.pid collate "C") l`;
}
