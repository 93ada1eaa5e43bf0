-- What holds inside Postgres whoever writes: triggers, functions and views, written by hand.
-- Loaded after the keys of postgres_schema.sql and before its guards.
--
-- The schema `digestlog` is private: helpers and what belongs to this database alone. No API serves it.
-- Every function that runs with its owner's rights has an empty search_path and names all it uses.


-- == Roles and the private schema ==============================================================

-- The three roles of PostgREST and Supabase. They cannot log in; a role that exists is left as it is.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['anon', 'authenticated', 'service_role'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;  -- another load was faster
            END;
        END IF;
    END LOOP;
END
$$;

CREATE SCHEMA digestlog;
REVOKE ALL ON SCHEMA digestlog FROM PUBLIC;
GRANT USAGE ON SCHEMA digestlog TO authenticated, service_role;

-- Which schema this is. One row.
CREATE TABLE digestlog.about (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    schema_version bigint NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now())
);
INSERT INTO digestlog.about (schema_version) VALUES (1);

-- True while the owner of the tables copies rows that a digestlog file has already judged:
--     SET LOCAL digestlog.replay = 'on';
-- Anybody may set that; it is believed of the owner alone. The login counts too, because cascades and
-- functions that run with the owner's rights have the owner as current_user.
CREATE FUNCTION digestlog.replaying() RETURNS boolean
LANGUAGE sql STABLE SET search_path = '' AS $$
    SELECT CASE WHEN current_setting('digestlog.replay', true) = 'on' THEN (
        SELECT pg_has_role(current_user, relowner, 'USAGE') AND pg_has_role(session_user, relowner, 'USAGE')
        FROM pg_catalog.pg_class WHERE oid = 'public.users'::regclass
    ) ELSE false END;
$$;

-- A write that does not set updated_at gets the time of the write.
CREATE FUNCTION digestlog.touch() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
    NEW.updated_at := date_trunc('second', clock_timestamp());
    RETURN NEW;
END
$$;


-- == Views =====================================================================================
-- With the rights of whoever asks: row-level security holds through them.

CREATE VIEW public.user_plans WITH (security_invoker = true) AS
SELECT
    users.id AS user_id,
    plan_definitions.plan,
    plan_definitions.max_tracked_urls,
    plan_definitions.full_history
FROM public.users
LEFT JOIN public.subscriptions ON subscriptions.user_id = users.id AND subscriptions.status = 'active'
JOIN public.plan_definitions ON plan_definitions.plan = coalesce(subscriptions.plan, 'free');

CREATE VIEW public.brands WITH (security_invoker = true) AS
SELECT id, name, domain, created_at, updated_at FROM public.brand_library_brands;

CREATE VIEW public.visible_urls WITH (security_invoker = true) AS
SELECT user_url_library.user_id, user_url_library.history_start_at, urls.*
FROM public.user_url_library
JOIN public.urls ON urls.id = user_url_library.url_id
WHERE user_url_library.is_active;

CREATE VIEW public.visible_observations WITH (security_invoker = true) AS
SELECT user_url_library.user_id, url_observations.*
FROM public.user_url_library
JOIN public.url_observations ON url_observations.url_id = user_url_library.url_id
WHERE user_url_library.is_active
    AND (user_url_library.history_start_at IS NULL
        OR url_observations.checked_at >= user_url_library.history_start_at);

CREATE VIEW public.visible_change_events WITH (security_invoker = true) AS
SELECT user_url_library.user_id, url_change_events.*
FROM public.user_url_library
JOIN public.url_change_events ON url_change_events.url_id = user_url_library.url_id
WHERE user_url_library.is_active
    AND (user_url_library.history_start_at IS NULL
        OR url_change_events.detected_at >= user_url_library.history_start_at);

CREATE VIEW public.visible_change_summaries WITH (security_invoker = true) AS
SELECT visible_change_events.user_id, visible_change_events.url_id, url_change_summaries.*
FROM public.visible_change_events
JOIN public.url_change_summaries ON url_change_summaries.event_id = visible_change_events.id;

CREATE VIEW public.visible_render_artifacts WITH (security_invoker = true) AS
SELECT user_url_library.user_id, url_render_artifacts.*
FROM public.user_url_library
JOIN public.url_render_artifacts ON url_render_artifacts.url_id = user_url_library.url_id
LEFT JOIN public.url_observations ON url_observations.id = url_render_artifacts.observation_id
WHERE user_url_library.is_active
    AND (user_url_library.history_start_at IS NULL
        OR coalesce(url_observations.checked_at, url_render_artifacts.created_at)
            >= user_url_library.history_start_at);

CREATE VIEW public.v1_check_observations WITH (security_invoker = true) AS
SELECT url_checks.id AS check_id, url_observations.id AS observation_id
FROM public.url_checks
JOIN public.tracked_urls ON tracked_urls.id = url_checks.tracked_url_id
JOIN public.urls ON urls.canonical_url = tracked_urls.canonical_url
JOIN public.url_observations ON url_observations.url_id = urls.id
    AND url_observations.checked_day = (url_checks.checked_at AT TIME ZONE 'UTC')::date
    AND url_observations.origin = 'v1';


-- == Ledger ====================================================================================

CREATE FUNCTION digestlog.refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END
$$;

-- When an article was first seen is history, and history does not change.
CREATE TRIGGER extracted_article_urls_first_seen_is_final
BEFORE UPDATE ON public.extracted_article_urls FOR EACH ROW
WHEN ((NEW.article_detected_utc_iso IS DISTINCT FROM OLD.article_detected_utc_iso
    OR NEW.created_at IS DISTINCT FROM OLD.created_at
    OR NEW.article_uuid IS DISTINCT FROM OLD.article_uuid) AND NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.refuse_change('article_uuid, article_detected_utc_iso and created_at never change');

-- Inserting an article again changes nothing; the same id for another address is a collision.
CREATE FUNCTION digestlog.first_insert_is_final() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    known text;
BEGIN
    SELECT article_url_final INTO known FROM public.extracted_article_urls
    WHERE article_uuid = NEW.article_uuid;
    IF known IS NULL THEN
        RETURN NEW;
    ELSIF known = NEW.article_url_final THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'another address has this article_uuid' USING ERRCODE = 'unique_violation';
END
$$;

CREATE TRIGGER extracted_article_urls_first_insert_is_final
BEFORE INSERT ON public.extracted_article_urls FOR EACH ROW
WHEN (NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.first_insert_is_final();

-- When a title or a date was added to an article that was found without.
CREATE FUNCTION digestlog.note_completion() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    moment timestamptz := date_trunc('second', clock_timestamp());
BEGIN
    INSERT INTO public.article_completions (article_uuid, field, completed_at, created_at)
    SELECT NEW.article_uuid, field, moment, moment
    FROM (VALUES ('article_title', OLD.article_title IS NULL AND NEW.article_title IS NOT NULL),
        ('published_utc_iso', OLD.published_utc_iso IS NULL AND NEW.published_utc_iso IS NOT NULL)
    ) AS filled (field, is_new) WHERE is_new
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER extracted_article_urls_completed
AFTER UPDATE OF article_title, published_utc_iso ON public.extracted_article_urls FOR EACH ROW
WHEN ((OLD.article_title IS NULL AND NEW.article_title IS NOT NULL
    OR OLD.published_utc_iso IS NULL AND NEW.published_utc_iso IS NOT NULL) AND NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.note_completion();

-- What was read was read: another content is another version.
CREATE TRIGGER scraped_articles_content_is_final
BEFORE UPDATE ON public.scraped_articles FOR EACH ROW
WHEN ((NEW.scrape_id IS DISTINCT FROM OLD.scrape_id OR NEW.content_text IS DISTINCT FROM OLD.content_text
    OR NEW.content_sha256 IS DISTINCT FROM OLD.content_sha256) AND NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.refuse_change('scrape_id, content_text and content_sha256 never change');


-- == Library ===================================================================================

-- Whose turn it is to take a place. The row is written, not only locked: under REPEATABLE READ a
-- second writer would get a lock that the first has let go of and still count with its old eyes.
-- So it waits and counts anew (READ COMMITTED), or is told to try again (REPEATABLE READ).
CREATE TABLE digestlog.library_turns (
    user_id uuid PRIMARY KEY REFERENCES public.users (id) ON DELETE CASCADE,
    turns bigint NOT NULL DEFAULT 1
);

-- The plan's limit. A page that the user watches already takes no further place.
CREATE FUNCTION digestlog.check_library_url_cap() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    plan record;
    taken bigint;
BEGIN
    SELECT max_tracked_urls INTO plan FROM public.user_plans WHERE user_id = NEW.user_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'url cap reached' USING ERRCODE = 'check_violation', HINT = 'the user has no plan';
    ELSIF plan.max_tracked_urls IS NULL THEN
        RETURN NEW;  -- no count where there is no limit
    END IF;
    INSERT INTO digestlog.library_turns AS turn (user_id) VALUES (NEW.user_id)
    ON CONFLICT (user_id) DO UPDATE SET turns = turn.turns + 1;
    SELECT count(*) INTO taken FROM public.user_url_library AS mine
    WHERE mine.user_id = NEW.user_id AND mine.is_active AND mine.id <> NEW.id AND mine.url_id <> NEW.url_id;
    IF plan.max_tracked_urls <= taken THEN
        RAISE EXCEPTION 'url cap reached' USING ERRCODE = 'check_violation',
            HINT = format('the plan allows %s pages', plan.max_tracked_urls);
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER check_library_url_cap BEFORE INSERT ON public.user_url_library FOR EACH ROW
WHEN (NEW.is_active AND NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.check_library_url_cap();

CREATE TRIGGER check_library_url_cap_on_update BEFORE UPDATE ON public.user_url_library FOR EACH ROW
WHEN (NEW.is_active AND (NOT OLD.is_active OR NEW.user_id <> OLD.user_id) AND NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.check_library_url_cap();

-- From when a user may look back: from the plan at the time of adding, never from the writer. The
-- clock is read now: now() would be the time at which a patient client began its transaction.
CREATE FUNCTION digestlog.set_library_history_gating() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    IF (SELECT full_history FROM public.user_plans WHERE user_id = NEW.user_id) THEN
        NEW.history_start_at := NULL;
    ELSE
        NEW.history_start_at := date_trunc('second', clock_timestamp());
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER set_library_history_gating BEFORE INSERT ON public.user_url_library FOR EACH ROW
WHEN (NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.set_library_history_gating();

-- Adding a removed page again is adding it; so is turning a row into another user's or another page's.
CREATE TRIGGER set_library_history_gating_on_return BEFORE UPDATE ON public.user_url_library FOR EACH ROW
WHEN ((NEW.is_active AND NOT OLD.is_active OR NEW.user_id <> OLD.user_id OR NEW.url_id <> OLD.url_id)
    AND NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.set_library_history_gating();


-- == V1 ========================================================================================
-- What the older tracker writes appears in the library, under the same id.

CREATE FUNCTION digestlog.sync_check_to_observation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.url_observations
        (id, url_id, checked_at, checked_day, http_status, content_sha256, outcome, error, origin, created_at)
    SELECT NEW.id, urls.id, NEW.checked_at, (NEW.checked_at AT TIME ZONE 'UTC')::date, NEW.status_code,
        NEW.content_hash,
        CASE WHEN NEW.error IS NULL AND coalesce(NEW.status_code, 200) < 400 THEN 'ok' ELSE 'failed' END,
        NEW.error, 'v1', NEW.created_at
    FROM public.tracked_urls
    JOIN public.urls ON urls.canonical_url = tracked_urls.canonical_url
    WHERE tracked_urls.id = NEW.tracked_url_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER sync_check_to_observation AFTER INSERT ON public.url_checks FOR EACH ROW
WHEN (NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.sync_check_to_observation();

CREATE FUNCTION digestlog.sync_change_to_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.url_change_events
        (id, url_id, observation_id, detected_at, kind, state, "before", "after", created_at, updated_at)
    SELECT NEW.id, urls.id,
        (SELECT observation_id FROM public.v1_check_observations WHERE check_id = NEW.check_id),
        NEW.detected_at, 'text_changed', 'real', NEW."before", NEW."after", NEW.created_at, NEW.created_at
    FROM public.tracked_urls
    JOIN public.urls ON urls.canonical_url = tracked_urls.canonical_url
    WHERE tracked_urls.id = NEW.tracked_url_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER sync_change_to_event AFTER INSERT ON public.url_changes FOR EACH ROW
WHEN (NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.sync_change_to_event();

CREATE FUNCTION digestlog.sync_summary_to_vnext() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.url_change_summaries (id, event_id, summary, method, created_at)
    SELECT NEW.id, url_change_events.id, NEW.summary, 'v1', NEW.created_at
    FROM public.url_change_events
    WHERE url_change_events.id = NEW.change_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER sync_summary_to_vnext AFTER INSERT ON public.summaries FOR EACH ROW
WHEN (NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.sync_summary_to_vnext();

CREATE FUNCTION digestlog.sync_render_to_artifact() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.url_render_artifacts (id, url_id, observation_id, kind, content, created_at)
    SELECT NEW.id, urls.id,
        (SELECT observation_id FROM public.v1_check_observations WHERE check_id = NEW.check_id),
        'v1', NEW.content, NEW.created_at
    FROM public.tracked_urls
    JOIN public.urls ON urls.canonical_url = tracked_urls.canonical_url
    WHERE tracked_urls.id = NEW.tracked_url_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER sync_render_to_artifact AFTER INSERT ON public.url_renders FOR EACH ROW
WHEN (NOT digestlog.replaying())
EXECUTE FUNCTION digestlog.sync_render_to_artifact();
