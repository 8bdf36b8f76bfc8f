import type { Migration } from '@pagefault/driver-kit';
import { commitFunction, leaseFunctions } from './functions.js';

/**
 * Tables of recall. Points in time are milliseconds since the epoch, as double precision: what a JavaScript
 * number is, and free of time zones. Messages and values are JSON text and not jsonb: they come back exactly
 * as they were written, whatever is in them. Text compares byte by byte (collation "C"), the same everywhere.
 */
export function migrationsOf(schema: string): readonly Migration[] {
  return [
    { name: 'tables', statements: tables(schema) },
    { name: 'functions', statements: [commitFunction(schema), ...leaseFunctions(schema)] },
    { name: 'erasure', statements: [...erasure(schema), commitFunction(schema)] },
    { name: 'digests', statements: [...digests(schema), commitFunction(schema)] },
  ];
}

/** Documents of before say nothing of what they are like: each is then one of its own. */
function digests(schema: string): string[] {
  return [`alter table ${schema}.documents add column digest text collate "C"`];
}

function erasure(schema: string): string[] {
  return [
    // The last position that was erased: the log goes on after it, also when it was the last one.
    `alter table ${schema}.processes add column erased_to bigint`,
  ];
}

function tables(schema: string): string[] {
  return [
    // Fences never come twice, also not after a process was erased and began anew.
    `create sequence ${schema}.fences`,
    // A small number stands for the pid in the large tables. Fence, owner and expires_at are the lease.
    `create table ${schema}.processes (
       num int generated always as identity primary key,
       pid text collate "C" not null unique,
       fence bigint, owner text collate "C", expires_at double precision)`,
    `create table ${schema}.log (
       num int not null, seq bigint not null, page bigint not null, id text collate "C" not null,
       at double precision not null, message text collate "C" not null,
       primary key (num, seq), unique (num, id))`,
    `create index log_by_time on ${schema}.log (num, at, seq)`,
    // Room on each page, so that a row that is rewritten at every step stays there and costs no index entry.
    `create table ${schema}.rows (
       pid text collate "C" not null, space text collate "C" not null, key text collate "C" not null,
       value text collate "C" not null, version bigint not null, due_at double precision,
       primary key (pid, space, key)) with (fillfactor = 60)`,
    `create index rows_by_space on ${schema}.rows (space, pid, key)`,
    `create index rows_by_due on ${schema}.rows (space, due_at, pid, key) where due_at is not null`,
    `create table ${schema}.documents (
       num int not null, collection smallint not null, ordinal int not null, seq bigint not null,
       ref text collate "C" not null, session text collate "C" not null, speaker text collate "C" not null,
       at double precision not null, length int not null,
       primary key (num, collection, ordinal))`,
    // Everything is in the index, so that a common term is read from one place.
    `create table ${schema}.postings (
       num int not null, collection smallint not null, term text collate "C" not null, ordinal int not null,
       seq bigint not null, count int not null,
       primary key (num, collection, term, ordinal) include (seq, count))`,
  ];
}
