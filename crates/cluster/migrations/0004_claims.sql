-- Many workers at a time: eight claims of one job at once, and no sync to the disk for each of them.
--
-- A hundred claims at the same moment all begin at the head of the queue, where each finds the rows of the others: they
-- spent their time on locks, and 10,000 workers did nothing. One at a time is no answer either: on a busy server each has
-- to wait until the one before it gets a processor. Workers take turns in eight lanes by their numbers. A claim or a
-- heartbeat that a crash of the server forgets does no harm: the units are still queued, and a result is only taken
-- from the worker that holds its unit. Numbers of workers and results are on the disk when the call returns.
create or replace function claim(me bigint, jobs bigint[], most integer)
returns table (job bigint, number integer, payload text)
language plpgsql security definer
set search_path = tesuji, pg_temp set jit = off set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    one bigint;
    left_over integer := most;
    got integer;
begin
    perform set_config('synchronous_commit', 'off', true);
    perform tesuji.reap();
    perform from worker where id = me and state = 'alive' for share;
    if not found then
        raise exception 'the lease of worker % has ended', me using errcode = 'TJ001';
    end if;
    for one in
        select j.id from job j where j.id = any (jobs) and j.state = 'open' order by j.priority desc, j.id
    loop
        -- Nobody waits for a turn where nothing is queued.
        continue when not exists (
            select from unit q where q.job = one and q.state = 'queued' and q.ready <= clock_timestamp()
        );
        perform pg_advisory_xact_lock(hashtextextended('tesuji.claim', one) + me % 8);
        return query
            update unit u set state = 'leased', worker = me, claimed = clock_timestamp()
            -- By the place of the rows: no statistics make this a search.
            where u.ctid = any (array(
                select q.ctid from unit q
                where q.job = one and q.state = 'queued' and q.ready <= clock_timestamp()
                order by q.number limit left_over for update skip locked
            ))
            returning u.job, u.number, u.payload;
        get diagnostics got = row_count;
        left_over := left_over - got;
        exit when left_over <= 0;
    end loop;
end $$;

create or replace function heartbeat(me bigint, lease double precision) returns table (job bigint, number integer)
language plpgsql security definer
set search_path = tesuji, pg_temp set jit = off set enable_seqscan = off as $$
#variable_conflict use_column
begin
    perform set_config('synchronous_commit', 'off', true);
    perform tesuji.reap();
    update worker set seen = clock_timestamp(), until = clock_timestamp() + lease * interval '1 second'
    where id = me and state = 'alive';
    if not found then
        raise exception 'the lease of worker % has ended', me using errcode = 'TJ001';
    end if;
    return query
        select u.job, u.number from unit u join job j on j.id = u.job
        where u.worker = me and u.state = 'leased' and j.state = 'open';
end $$;
