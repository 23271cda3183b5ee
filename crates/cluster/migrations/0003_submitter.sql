-- What submitters do, and what each role may do.

-- Submits a job. Its units wait where `waiting` says so (first units and ends of ranges), the others are queued.
create function submit(of_name text, of_kind text, of_request text, of_signature text, of_identity text,
                       of_units integer, waiting_from integer[], waiting_to integer[], is_refereed boolean,
                       of_priority integer) returns bigint
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    made bigint;
begin
    insert into job (name, kind, request, signature, identity, units, priority, refereed, submitter)
    values (of_name, of_kind, of_request, of_signature, of_identity, of_units, of_priority, is_refereed, session_user)
    returning id into made;
    insert into unit (job, number, state)
    select made, n, case when exists (
        select from unnest(waiting_from, waiting_to) as w (first, beyond) where n >= w.first and n < w.beyond
    ) then 'waiting' else 'queued' end
    from generate_series(0, of_units - 1) as n;
    return made;
end $$;

-- Cancels a job: workers drop its units at their next heartbeat. What is done stays.
create function cancel(of_job bigint) returns boolean
language plpgsql security definer set search_path = tesuji, pg_temp as $$
begin
    update job set state = 'cancelled' where id = of_job and state = 'open';
    return found;
end $$;

-- Queues the units of a job again that were set aside.
create function retry(of_job bigint) returns integer
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    queued integer;
begin
    update unit set state = 'queued', errors = 0, losses = 0, ready = '-infinity'
    where job = of_job and state = 'failed';
    get diagnostics queued = row_count;
    return queued;
end $$;

-- Removes a job with its units and results, if nothing of it is under way.
create function remove(of_job bigint) returns boolean
language plpgsql security definer set search_path = tesuji, pg_temp as $$
begin
    delete from job where id = of_job and (state = 'cancelled' or not tesuji.has_work(of_job));
    if not found then
        return false;
    end if;
    delete from unit where job = of_job;
    delete from result where job = of_job;
    delete from refusal where job = of_job;
    return true;
end $$;

create function set_priority(of_job bigint, of_priority integer) returns boolean
language plpgsql security definer set search_path = tesuji, pg_temp as $$
begin
    update job set priority = of_priority where id = of_job;
    return found;
end $$;

revoke all on all functions in schema tesuji from public;
grant execute on function
    hello(text, text, text, integer, double precision),
    claim(bigint, bigint[], integer),
    heartbeat(bigint, double precision),
    finish(bigint, bigint[], integer[], bytea[], double precision[]),
    fail(bigint, bigint, integer, text),
    give_back(bigint, bigint[], integer[]),
    bye(bigint),
    open_jobs(),
    refuse(bigint, bigint, text),
    is_idle(bigint[]),
    become_referee(bigint, bigint),
    results_of(bigint, bigint, integer[]),
    cancel_units(bigint, bigint, integer, integer),
    release_units(bigint, bigint, integer[], text[])
to tesuji_worker;
grant execute on function
    submit(text, text, text, text, text, integer, integer[], integer[], boolean, integer),
    cancel(bigint),
    retry(bigint),
    remove(bigint),
    set_priority(bigint, integer)
to tesuji_submitter;
grant select on job, unit, worker, result, refusal to tesuji_submitter;
