-- The referee of a job: the one worker that follows its results, ends sequential tests and pairs Swiss rounds.

-- Becomes or stays the referee of a job. Another worker takes over when the referee is no longer alive.
create function become_referee(me bigint, of_job bigint) returns boolean
language plpgsql security definer set search_path = tesuji, pg_temp as $$
begin
    update job set referee = me
    where id = of_job and state = 'open' and refereed
      and exists (select from worker w where w.id = me and w.state = 'alive')
      and (referee is null or referee = me
           or not exists (select from worker w where w.id = referee and w.state = 'alive'
                                                 and w.until >= clock_timestamp()));
    return found;
end $$;

-- The results of some units, for the referee.
create function results_of(me bigint, of_job bigint, numbers integer[])
returns table (number integer, bytes bytea)
language sql stable security definer set search_path = tesuji, pg_temp as $$
    select r.number, r.bytes from result r
    where r.job = of_job and r.number = any (numbers) and exists (select from job where id = of_job and referee = me)
    order by r.number;
$$;

-- Units that a decided test needs no more.
create function cancel_units(me bigint, of_job bigint, first integer, beyond integer) returns integer
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    ended integer;
begin
    perform from job where id = of_job and referee = me for update;
    if not found then
        return 0;
    end if;
    update unit set state = 'cancelled', worker = null
    where job = of_job and number >= first and number < beyond and state in ('waiting', 'queued', 'leased');
    get diagnostics ended = row_count;
    return ended;
end $$;

-- Queues waiting units, now that it is known what they are.
create function release_units(me bigint, of_job bigint, numbers integer[], payloads text[]) returns integer
language plpgsql security definer set search_path = tesuji, pg_temp as $$
declare
    released integer;
begin
    perform from job where id = of_job and referee = me for update;
    if not found then
        return 0;
    end if;
    update unit u set state = 'queued', payload = g.payload
    from unnest(numbers, payloads) as g (number, payload)
    where u.job = of_job and u.number = g.number and u.state = 'waiting';
    get diagnostics released = row_count;
    return released;
end $$;
