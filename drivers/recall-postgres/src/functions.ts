/** SQLSTATEs that our own functions raise; `errors.ts` turns them into codes. */
export const LEASE_LOST = 'PF001';
export const CONFLICT = 'PF002';

// A plan is made once for a session, perhaps while the tables are still empty; then it must not be one that
// reads whole tables. For the same reason look-ups of a list are lateral with `offset 0`: one by one by index.
const BY_INDEX = 'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off';

/**
 * A whole commit in one round trip. The row of the process is locked first, so that of two racing commits one
 * sees what the other wrote; then fence, expectations and position are checked; then all is written. What it
 * raises undoes all of it. A part that the commit does not have is null.
 */
export function commitFunction(schema: string): string {
  return `
create or replace function ${schema}.commit(
  p_pid text, p_fence bigint, p_expect json, p_appends json, p_puts json, p_deletes json, p_documents json)
returns void language plpgsql ${BY_INDEX} as $body$
declare
  v_num int; v_fence bigint; v_erased bigint; v_last bigint; v_first bigint; v_odd record;
begin
  select num, fence, erased_to into v_num, v_fence, v_erased from ${schema}.processes where pid = p_pid for update;
  if not found then
    insert into ${schema}.processes (pid) values (p_pid) on conflict (pid) do nothing;
    select num, fence, erased_to into v_num, v_fence, v_erased from ${schema}.processes where pid = p_pid for update;
  end if;
  if p_fence is not null and p_fence is distinct from v_fence then
    raise exception using errcode = '${LEASE_LOST}',
      message = format('the fence %s of %s is not the lease''s (%s)', p_fence, p_pid, coalesce(v_fence::text, 'there is none'));
  end if;
  if p_expect is not null then
    select e.space, e.key, e.version as expected, coalesce(r.version, 0) as actual into v_odd
      from json_to_recordset(p_expect) e(space text, key text, version bigint)
      left join lateral (
        select version from ${schema}.rows
        where pid = p_pid and space = e.space collate "C" and key = e.key collate "C" offset 0) r on true
      where coalesce(r.version, 0) <> e.version limit 1;
    if found then
      raise exception using errcode = '${CONFLICT}',
        message = format('row %s/%s of %s has version %s, expected %s', v_odd.space, v_odd.key, p_pid, v_odd.actual, v_odd.expected);
    end if;
  end if;
  if p_appends is not null then
    v_first := (p_appends -> 0 ->> 'seq')::bigint;
    select greatest(max(seq), v_erased) into v_last from ${schema}.log where num = v_num;
    if v_first <> v_last + 1 then
      raise exception using errcode = '${CONFLICT}',
        message = format('position %s of %s does not follow %s', v_first, p_pid, v_last);
    end if;
    insert into ${schema}.log (num, seq, page, id, at, message)
      select v_num, seq, page, id, at, message
      from json_to_recordset(p_appends) a(seq bigint, page bigint, id text, at double precision, message text);
  end if;
  if p_puts is not null then
    insert into ${schema}.rows as r (pid, space, key, value, version, due_at)
      select p_pid, space, key, value, times, due
      from json_to_recordset(p_puts) p(space text, key text, value text, times int, due double precision)
      on conflict (pid, space, key) do update
        set value = excluded.value, version = r.version + excluded.version, due_at = excluded.due_at;
  end if;
  if p_deletes is not null then
    delete from ${schema}.rows where ctid = any (array(
      select r.ctid from json_to_recordset(p_deletes) d(space text, key text) cross join lateral (
        select ctid from ${schema}.rows
        where pid = p_pid and space = d.space collate "C" and key = d.key collate "C" offset 0) r));
  end if;
  if p_documents is not null then
    insert into ${schema}.documents (num, collection, ordinal, seq, ref, session, speaker, at, length, digest)
      select v_num, collection, ordinal, seq, ref, session, speaker, at, length, digest
      from json_to_recordset(p_documents)
        d(collection smallint, ordinal int, seq bigint, ref text, session text, speaker text,
          at double precision, length int, digest text);
    insert into ${schema}.postings (num, collection, term, ordinal, seq, count)
      select v_num, d.collection, t ->> 0, d.ordinal, d.seq, (t ->> 1)::int
      from json_to_recordset(p_documents) d(collection smallint, ordinal int, seq bigint, terms json),
        json_array_elements(d.terms) t;
  end if;
end $body$`;
}

/** Leases live on the store's clock, which all who share the store agree on. */
export function leaseFunctions(schema: string): string[] {
  return [
    `
create function ${schema}.acquire_lease(p_pid text, p_owner text, p_ttl double precision)
returns table (granted_fence bigint, granted_until double precision) language plpgsql ${BY_INDEX} as $body$
declare
  v_now double precision := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  insert into ${schema}.processes (pid) select p_pid
    where not exists (select from ${schema}.processes where pid = p_pid) on conflict (pid) do nothing;
  return query update ${schema}.processes p
    set fence = case when p.owner = p_owner then p.fence else nextval('${schema}.fences') end,
        owner = p_owner, expires_at = v_now + p_ttl
    where p.pid = p_pid and (p.owner is null or p.owner = p_owner or p.expires_at <= v_now)
    returning p.fence, p.expires_at;
end $body$`,
  ];
}
