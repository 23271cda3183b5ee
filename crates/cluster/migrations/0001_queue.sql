-- The queue: jobs cut into numbered units, workers with leases, results.
--
-- Every time is that of the server (clock_timestamp()), so the clocks of workers do not matter. Workers and submitters
-- own no table: they call functions, which run with the rights of the owner. Units and results refer to their job without a
-- foreign key, whose locks on the row of the job would make all deliveries wait for each other.

create table job (
    id         bigint generated always as identity primary key,
    name       text        not null,
    kind       text        not null,
    request    text        not null,
    -- What a worker must have in common with the submitter: engines, and everything the results depend on.
    signature  text        not null,
    identity   text        not null,
    units      integer     not null check (units >= 0),
    priority   integer     not null default 0,
    state      text        not null default 'open' check (state in ('open', 'cancelled')),
    -- Whether results decide what is done next: sequential tests and Swiss rounds.
    refereed   boolean     not null,
    referee    bigint,
    submitted  timestamptz not null default clock_timestamp(),
    submitter  text        not null
);

create table worker (
    id         bigint generated always as identity primary key,
    name       text        not null,
    host       text        not null,
    version    text        not null,
    threads    integer     not null,
    login      text        not null,
    state      text        not null default 'alive' check (state in ('alive', 'gone', 'lost')),
    started    timestamptz not null default clock_timestamp(),
    seen       timestamptz not null default clock_timestamp(),
    -- The end of the lease of everything the worker has claimed.
    until      timestamptz not null
) with (fillfactor = 50);

create index worker_lease on worker (id) where state = 'alive';

create table unit (
    job        bigint      not null,
    number     integer     not null,
    state      text        not null check (state in ('waiting', 'queued', 'leased', 'done', 'failed', 'cancelled')),
    worker     bigint,
    -- Errors reported, and leases that ended without a word.
    errors     smallint    not null default 0,
    losses     smallint    not null default 0,
    ready      timestamptz not null default '-infinity',
    claimed    timestamptz,
    error      text,
    payload    text,
    primary key (job, number)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

create index unit_queued on unit (job, number) where state = 'queued';
create index unit_leased on unit (worker) where state = 'leased';
create index unit_failed on unit (job) where state = 'failed';
create index unit_waiting on unit (job) where state = 'waiting';

create table result (
    job        bigint           not null,
    number     integer          not null,
    bytes      bytea            not null,
    worker     bigint           not null,
    seconds    double precision not null,
    finished   timestamptz      not null default clock_timestamp(),
    primary key (job, number)
);

create index result_finished on result (job, finished);

-- Why workers do not work on a job.
create table refusal (
    job        bigint      not null,
    worker     bigint      not null,
    reason     text        not null,
    at         timestamptz not null default clock_timestamp(),
    primary key (job, worker)
);

-- When leases were last looked through.
create table reaper (last timestamptz not null);
insert into reaper values ('-infinity');

-- A worker begins. Returns its number, under which it claims.
create function hello(name text, host text, version text, threads integer, lease double precision) returns bigint
language sql security definer set search_path = tesuji, pg_temp as $$
    insert into worker (name, host, version, threads, login, until)
    values (name, host, version, threads, session_user, clock_timestamp() + lease * interval '1 second')
    returning id;
$$;

-- Queues the units of workers whose lease has ended. Once a second is enough, whoever calls.
create function reap() returns integer
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    gone bigint[];
    taken integer;
begin
    if not exists (select from reaper where last < clock_timestamp() - interval '1 second') then
        return 0;
    end if;
    perform from reaper where last < clock_timestamp() - interval '1 second' for update skip locked;
    if not found then
        return 0;
    end if;
    update reaper set last = clock_timestamp();
    select array_agg(id) into gone from (
        select id from worker where state = 'alive' and until < clock_timestamp() for update skip locked
    ) late;
    if gone is null then
        return 0;
    end if;
    update worker set state = 'lost' where id = any (gone);
    -- A unit that ends its workers again and again is set aside; one that was only claimed by them is not to blame for
    -- three of them, so this limit is higher than that of errors.
    update unit set
        state = case when losses + 1 >= 10 then 'failed' else 'queued' end,
        error = case when losses + 1 >= 10 then 'its worker ended without a word, ten times' else error end,
        losses = losses + 1, worker = null
    where worker = any (gone) and state = 'leased';
    get diagnostics taken = row_count;
    return taken;
end $$;

-- Claims up to `most` units of the first of these jobs that have some: by priority, then by age.
create function claim(me bigint, jobs bigint[], most integer)
returns table (job bigint, number integer, payload text)
language plpgsql security definer set search_path = tesuji, pg_temp as $$
#variable_conflict use_column
declare
    one bigint;
    left_over integer := most;
    got integer;
begin
    perform tesuji.reap();
    perform from worker where id = me and state = 'alive' for share;
    if not found then
        raise exception 'the lease of worker % has ended', me using errcode = 'TJ001';
    end if;
    for one in
        select j.id from job j where j.id = any (jobs) and j.state = 'open' order by j.priority desc, j.id
    loop
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

-- Extends the lease. Returns the units that the worker still holds.
create function heartbeat(me bigint, lease double precision) returns table (job bigint, number integer)
language plpgsql security definer set search_path = tesuji, pg_temp as $$
#variable_conflict use_column
begin
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

-- Takes results: each is inserted and its unit released in this one transaction. A result of a unit that the worker does
-- not hold (any more) is left out. Returns how many were taken.
create function finish(me bigint, jobs bigint[], numbers integer[], results bytea[], seconds double precision[])
returns integer
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    taken integer;
begin
    perform from worker where id = me and state = 'alive' for share;
    if not found then
        raise exception 'the lease of worker % has ended', me using errcode = 'TJ001';
    end if;
    with given as (
        select * from unnest(jobs, numbers, results, seconds) as g (job, number, bytes, seconds)
    ), done as (
        update unit u set state = 'done', error = null
        from given g
        where u.job = g.job and u.number = g.number and u.state = 'leased' and u.worker + 0 = me
        returning u.job, u.number
    )
    insert into result (job, number, bytes, worker, seconds)
    select g.job, g.number, g.bytes, me, g.seconds from given g join done d on d.job = g.job and d.number = g.number;
    get diagnostics taken = row_count;
    return taken;
end $$;

-- A unit failed: again later, or set aside after the third time.
create function fail(me bigint, of_job bigint, of_number integer, message text) returns boolean
language plpgsql security definer set search_path = tesuji, pg_temp as $$
begin
    update unit set
        state = case when errors + 1 >= 3 then 'failed' else 'queued' end,
        errors = errors + 1,
        error = message,
        worker = null,
        -- Ten seconds, then forty, with some chance so that units which failed together do not return together.
        ready = clock_timestamp() + interval '10 seconds' * power(4, errors) * (0.75 + random() / 2)
    where job = of_job and number = of_number and state = 'leased' and worker = me;
    return found;
end $$;

-- Gives units back that were not begun or not finished.
create function give_back(me bigint, jobs bigint[], numbers integer[]) returns integer
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    given integer;
begin
    update unit u set state = 'queued', worker = null
    from unnest(jobs, numbers) as g (job, number)
    where u.job = g.job and u.number = g.number and u.state = 'leased' and u.worker + 0 = me;
    get diagnostics given = row_count;
    return given;
end $$;

-- A worker ends. Whatever it still holds is queued again.
create function bye(me bigint) returns void
language plpgsql security definer set search_path = tesuji, pg_temp as $$
begin
    update worker set state = 'gone', seen = clock_timestamp() where id = me and state = 'alive';
    update unit set state = 'queued', worker = null where worker = me and state = 'leased';
end $$;

-- Whether something of a job is to be done or under way. Each state has its own index, so a complete job costs nothing.
create function has_work(of_job bigint) returns boolean
language sql stable security definer set search_path = tesuji, pg_temp as $$
    select exists (select from unit where job = of_job and state = 'queued')
        or exists (select from unit where job = of_job and state = 'waiting')
        or exists (select from unit where job = of_job and state = 'leased');
$$;

-- Jobs that can be worked on. Workers judge each of them once.
create function open_jobs() returns table (id bigint, name text, request text, signature text, identity text,
                                           units integer, refereed boolean)
language sql stable security definer set search_path = tesuji, pg_temp as $$
    select id, name, request, signature, identity, units, refereed from job
    where state = 'open' and tesuji.has_work(id);
$$;

create function refuse(me bigint, of_job bigint, why text) returns void
language sql security definer set search_path = tesuji, pg_temp as $$
    insert into refusal (job, worker, reason) values (of_job, me, why)
    on conflict (job, worker) do update set reason = excluded.reason, at = clock_timestamp();
$$;

-- Whether anything is left to do: for workers that end when nothing is.
create function is_idle(jobs bigint[]) returns boolean
language sql stable security definer set search_path = tesuji, pg_temp as $$
    select not exists (select from job where id = any (jobs) and state = 'open' and tesuji.has_work(id));
$$;

-- A new job is far larger than the statistics say: these calls always find units by an index (`worker + 0` leaves the
-- primary key as the only one that fits). Compiling a plan would take longer than they do.
alter function has_work set jit = off;
alter function has_work set enable_seqscan = off;
alter function claim set jit = off;
alter function heartbeat set jit = off;
alter function finish set jit = off;
alter function give_back set jit = off;
alter function claim set enable_seqscan = off;
alter function claim set enable_bitmapscan = off;
alter function heartbeat set enable_seqscan = off;
alter function finish set enable_seqscan = off;
alter function finish set enable_bitmapscan = off;
alter function finish set enable_hashjoin = off;
alter function finish set enable_mergejoin = off;
alter function give_back set enable_seqscan = off;
alter function give_back set enable_hashjoin = off;
alter function give_back set enable_mergejoin = off;
