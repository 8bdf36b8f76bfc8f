import type { Collection, IndexedDocument, Lineage, Posting } from '@pagefault/contracts';
import type { SqlPort } from '@pagefault/driver-kit';
import { COLLECTIONS } from './commit.js';
import { lineageTable, lineageValue } from './lineage.js';

interface PostingList {
  /** Place of the term among those asked, from 1. */
  readonly place: number;
  readonly ordinals: string;
  readonly counts: string;
}

/** One row a term, its numbers joined by commas: a common term has tens of thousands of them. */
export async function findPostings(
  sql: SqlPort,
  schema: string,
  lineage: Lineage,
  collection: Collection,
  terms: readonly string[],
): Promise<readonly Posting[]> {
  if (terms.length === 0) return [];
  const { rows } = await sql.query<PostingList>(
    `select asked.place, string_agg(f.ordinal::text, ',' order by f.ordinal) as ordinals,
       string_agg(f.count::text, ',' order by f.ordinal) as counts
     from json_array_elements_text($3::json) with ordinality asked(term, place)
     cross join ${lineageTable(schema)}
     cross join lateral (
       select p.ordinal, p.count from ${schema}.postings p
       where p.num = l.num and p.collection = $2::smallint and p.term = asked.term collate "C" and p.seq <= l.upto
         and p.ordinal < coalesce(l.${collection}, 2147483648)
       offset 0) f -- keeps the planner from turning the look-up into a join of whole tables
     group by asked.place order by asked.place`,
    [lineageValue(lineage), COLLECTIONS[collection], JSON.stringify(terms)],
  );
  return rows.flatMap((row) => unpack(terms[row.place - 1] ?? '', row));
}

function unpack(term: string, { ordinals, counts }: PostingList): Posting[] {
  const numbers = counts.split(',');
  return ordinals
    .split(',')
    .map((ordinal, i) => ({ term, ordinal: Number(ordinal), count: Number(numbers[i]) }));
}

type DocumentRow = Omit<IndexedDocument, 'digest'> & { readonly digest: string | null };

export async function findDocuments(
  sql: SqlPort,
  schema: string,
  lineage: Lineage,
  collection: Collection,
  ordinals: readonly number[],
): Promise<readonly IndexedDocument[]> {
  if (ordinals.length === 0) return [];
  const { rows } = await sql.query<DocumentRow>(
    `select d.ordinal, d.seq, d.ref, d.session, d.speaker, d.at, d.length, d.digest
     from ${lineageTable(schema)} join ${schema}.documents d on d.num = l.num and d.seq <= l.upto
       and d.ordinal < coalesce(l.${collection}, 2147483648)
     where d.collection = $2::smallint
       and d.ordinal = any (array(select json_array_elements_text($3::json)::bigint))
     order by d.ordinal`,
    [lineageValue(lineage), COLLECTIONS[collection], JSON.stringify(ordinals)],
  );
  return rows.map(({ digest, ...document }) => (digest === null ? document : { ...document, digest }));
}
