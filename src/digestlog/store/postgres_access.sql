-- Who may see and do what in Postgres, written by hand. Loaded last.
--
-- The guards of postgres_schema.sql have closed every table. Here each one is opened as far as the
-- rules of the library allow, or named as closed:
--   anon           nothing
--   authenticated  a signed-in user: own rows, pages with an active row in user_url_library, and of
--                  these nothing from before history_start_at
--   service_role   all rows; no TRUNCATE, which row-level security does not see
-- Every table stands below, in a GRANT or in a line that begins with `-- closed:`.
--
-- Row-level security is not forced on the owner: the functions that judge for others (whose turn,
-- which plan) are the owner's and have to see all rows.


-- == Who asks ==================================================================================

-- Logins that set the claims of a request for others, as PostgREST's does after checking a token.
-- Anybody may set request.jwt.claims in a session of their own; only these are believed.
CREATE TABLE digestlog.gateways (
    role_name name PRIMARY KEY
);
INSERT INTO digestlog.gateways (role_name) VALUES ('authenticator');

-- Which user a token's subject (jwt) or a role that logs in by itself (login) is. A subject without a
-- row is a user's id; a login without a row is nobody.
CREATE TABLE digestlog.identities (
    kind text NOT NULL CHECK (kind IN ('jwt', 'login')),
    subject text NOT NULL CHECK (subject <> ''),
    user_id uuid NOT NULL REFERENCES public.users (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, subject)
);

-- The subject that the request claims.
CREATE FUNCTION digestlog.claimed() RETURNS text
LANGUAGE sql STABLE SET search_path = '' AS $$
    SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub';
$$;

-- The user who asks; NULL: nobody. session_user is who logged in: SET ROLE does not change it.
CREATE FUNCTION digestlog.uid() RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    trusted boolean := EXISTS (SELECT FROM digestlog.gateways WHERE role_name = session_user);
    claim text := CASE WHEN trusted THEN digestlog.claimed() ELSE session_user::text END;
    found uuid;
BEGIN
    SELECT user_id INTO found FROM digestlog.identities
    WHERE kind = CASE WHEN trusted THEN 'jwt' ELSE 'login' END AND subject = claim;
    IF found IS NULL AND trusted AND claim ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' THEN
        found := claim::uuid;
    END IF;
    RETURN found;
END
$$;

REVOKE ALL ON ALL TABLES IN SCHEMA digestlog FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA digestlog FROM PUBLIC, anon, authenticated, service_role;
GRANT EXECUTE ON FUNCTION digestlog.uid(), digestlog.replaying() TO authenticated, service_role;

-- The public schema is used by all and made by none. Asked first: a GRANT that changes nothing warns.
DO $$
BEGIN
    IF has_schema_privilege('anon', 'public', 'CREATE') THEN
        REVOKE CREATE ON SCHEMA public FROM PUBLIC, anon, authenticated;
    END IF;
    IF NOT has_schema_privilege('authenticated', 'public', 'USAGE') THEN
        GRANT USAGE ON SCHEMA public TO authenticated;
    END IF;
    IF NOT has_schema_privilege('service_role', 'public', 'USAGE') THEN
        GRANT USAGE ON SCHEMA public TO service_role;
    END IF;
END
$$;


-- == Own rows ==================================================================================
-- (SELECT digestlog.uid()) is worked out once for a query, not once for a row.

-- The password's hash is nobody's: columns, not the row.
GRANT SELECT (id, name, role, created_at, updated_at) ON public.users TO authenticated;
CREATE POLICY own ON public.users FOR SELECT TO authenticated USING (id = (SELECT digestlog.uid()));

GRANT SELECT ON public.plan_definitions TO authenticated;
CREATE POLICY all_plans ON public.plan_definitions FOR SELECT TO authenticated USING (true);

GRANT SELECT ON public.subscriptions TO authenticated;
CREATE POLICY own ON public.subscriptions FOR SELECT TO authenticated
USING (user_id = (SELECT digestlog.uid()));

GRANT SELECT, INSERT (user_id, step, completed_at), UPDATE (step, completed_at)
ON public.onboarding_state TO authenticated;
CREATE POLICY own ON public.onboarding_state TO authenticated
USING (user_id = (SELECT digestlog.uid())) WITH CHECK (user_id = (SELECT digestlog.uid()));

GRANT SELECT ON public.settings TO authenticated;
CREATE POLICY own ON public.settings FOR SELECT TO authenticated USING (user_id = (SELECT digestlog.uid()));

GRANT SELECT ON public.categories TO authenticated;
CREATE POLICY own ON public.categories FOR SELECT TO authenticated USING (user_id = (SELECT digestlog.uid()));

GRANT SELECT ON public.user_sources TO authenticated;
CREATE POLICY own ON public.user_sources FOR SELECT TO authenticated
USING (user_id = (SELECT digestlog.uid()));

GRANT SELECT ON public.article_history TO authenticated;
CREATE POLICY own ON public.article_history FOR SELECT TO authenticated
USING (user_id = (SELECT digestlog.uid()));

GRANT SELECT ON public.syntheses TO authenticated;
CREATE POLICY own ON public.syntheses FOR SELECT TO authenticated USING (user_id = (SELECT digestlog.uid()));

GRANT SELECT ON public.synthesis_items TO authenticated;
CREATE POLICY own ON public.synthesis_items FOR SELECT TO authenticated
USING (EXISTS (SELECT FROM public.syntheses WHERE syntheses.id = synthesis_items.synthesis_id));

GRANT SELECT ON public.synthesis_candidates TO authenticated;
CREATE POLICY own ON public.synthesis_candidates FOR SELECT TO authenticated
USING (EXISTS (SELECT FROM public.syntheses WHERE syntheses.id = synthesis_candidates.synthesis_id));

GRANT SELECT ON public.told_events TO authenticated;
CREATE POLICY own ON public.told_events FOR SELECT TO authenticated
USING (user_id = (SELECT digestlog.uid()));


-- == Submissions ===============================================================================
-- A user hands in an address and nothing else: what becomes of it is decided by the service.

ALTER TABLE public.url_submissions ALTER COLUMN id SET DEFAULT gen_random_uuid();
GRANT SELECT, INSERT (user_id, submitted_url) ON public.url_submissions TO authenticated;
CREATE POLICY own ON public.url_submissions FOR SELECT TO authenticated
USING (user_id = (SELECT digestlog.uid()));
CREATE POLICY submit ON public.url_submissions FOR INSERT TO authenticated
WITH CHECK (
    user_id = (SELECT digestlog.uid()) AND status = 'pending' AND matched_url_id IS NULL
    AND length(submitted_url) <= 4096
);

-- Which admin decided is not shown.
GRANT SELECT (id, submission_id, decision, reason_code, evidence, created_at)
ON public.url_policy_decisions TO authenticated;
CREATE POLICY own ON public.url_policy_decisions FOR SELECT TO authenticated
USING (EXISTS (SELECT FROM public.url_submissions WHERE url_submissions.id = url_policy_decisions.submission_id));


-- == The library ===============================================================================

-- Own rows: add a page that a submission of one's own was approved for, turn it off and on, take it
-- out. The page, the user and the start of the history are not a user's to write.
ALTER TABLE public.user_url_library ALTER COLUMN id SET DEFAULT gen_random_uuid();
GRANT SELECT, INSERT (user_id, url_id, is_active), UPDATE (is_active), DELETE
ON public.user_url_library TO authenticated;
CREATE POLICY own ON public.user_url_library FOR SELECT TO authenticated
USING (user_id = (SELECT digestlog.uid()));
CREATE POLICY add ON public.user_url_library FOR INSERT TO authenticated
WITH CHECK (
    user_id = (SELECT digestlog.uid())
    AND url_id = ANY (ARRAY(
        SELECT approved.matched_url_id FROM public.url_submissions AS approved
        WHERE approved.user_id = (SELECT digestlog.uid())
            AND approved.status IN ('approved_linked_existing', 'approved_created_global')
    ))
);
CREATE POLICY turn ON public.user_url_library FOR UPDATE TO authenticated
USING (user_id = (SELECT digestlog.uid())) WITH CHECK (user_id = (SELECT digestlog.uid()));
CREATE POLICY remove ON public.user_url_library FOR DELETE TO authenticated
USING (user_id = (SELECT digestlog.uid()));

-- Membership means an active row. ARRAY(...) is worked out once and can be looked up in an index.
GRANT SELECT ON public.urls TO authenticated;
CREATE POLICY watched ON public.urls FOR SELECT TO authenticated
USING (id = ANY (ARRAY(
    SELECT mine.url_id FROM public.user_url_library AS mine
    WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
)));

-- The brands of the pages that one sees, and no others: a brand tells what other users watch.
GRANT SELECT ON public.brand_library_brands TO authenticated;
CREATE POLICY watched ON public.brand_library_brands FOR SELECT TO authenticated
USING (id = ANY (ARRAY(SELECT urls.brand_id FROM public.urls)));

GRANT SELECT ON public.brand_domains TO authenticated;
CREATE POLICY watched ON public.brand_domains FOR SELECT TO authenticated
USING (brand_id = ANY (ARRAY(SELECT urls.brand_id FROM public.urls)));

-- Gated: pages with the whole history at once, of the others what is not older than their start. The
-- first condition finds rows by an index; the second is a hash, looked up for each row that was found.
GRANT SELECT ON public.url_observations TO authenticated;
CREATE POLICY gated ON public.url_observations FOR SELECT TO authenticated
USING (
    url_id = ANY (ARRAY(
        SELECT mine.url_id FROM public.user_url_library AS mine
        WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
    ))
    AND (
        url_id IN (
            SELECT mine.url_id FROM public.user_url_library AS mine
            WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active AND mine.history_start_at IS NULL
        )
        OR checked_at >= (
            SELECT mine.history_start_at FROM public.user_url_library AS mine
            WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
                AND mine.url_id = url_observations.url_id
        )
    )
);

GRANT SELECT ON public.url_change_events TO authenticated;
CREATE POLICY user_url_library_history_gated_select ON public.url_change_events FOR SELECT TO authenticated
USING (
    url_id = ANY (ARRAY(
        SELECT mine.url_id FROM public.user_url_library AS mine
        WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
    ))
    AND (
        url_id IN (
            SELECT mine.url_id FROM public.user_url_library AS mine
            WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active AND mine.history_start_at IS NULL
        )
        OR detected_at >= (
            SELECT mine.history_start_at FROM public.user_url_library AS mine
            WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
                AND mine.url_id = url_change_events.url_id
        )
    )
);

GRANT SELECT ON public.url_change_summaries TO authenticated;
CREATE POLICY gated ON public.url_change_summaries FOR SELECT TO authenticated
USING (EXISTS (SELECT FROM public.url_change_events WHERE url_change_events.id = url_change_summaries.event_id));

-- A rendering counts from its look, and without one from when it was stored. A look that the user may
-- not see is no look: its rendering is hidden with it, however late it was stored.
GRANT SELECT ON public.url_render_artifacts TO authenticated;
CREATE POLICY gated ON public.url_render_artifacts FOR SELECT TO authenticated
USING (
    url_id = ANY (ARRAY(
        SELECT mine.url_id FROM public.user_url_library AS mine
        WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
    ))
    AND (
        url_id IN (
            SELECT mine.url_id FROM public.user_url_library AS mine
            WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active AND mine.history_start_at IS NULL
        )
        OR CASE WHEN observation_id IS NULL THEN created_at >= (
            SELECT mine.history_start_at FROM public.user_url_library AS mine
            WHERE mine.user_id = (SELECT digestlog.uid()) AND mine.is_active
                AND mine.url_id = url_render_artifacts.url_id
        ) ELSE EXISTS (
            SELECT FROM public.url_observations AS seen
            WHERE seen.id = url_render_artifacts.observation_id AND seen.url_id = url_render_artifacts.url_id
        ) END
    )
);

GRANT SELECT ON public.trend_definitions TO authenticated;
CREATE POLICY active ON public.trend_definitions FOR SELECT TO authenticated USING (is_active);

GRANT SELECT ON public.trend_points TO authenticated;
CREATE POLICY active ON public.trend_points FOR SELECT TO authenticated
USING (EXISTS (SELECT FROM public.trend_definitions WHERE trend_definitions.id = trend_points.trend_id));


-- == Views =====================================================================================

REVOKE ALL ON public.user_plans, public.brands, public.visible_urls, public.visible_observations,
    public.visible_change_events, public.visible_change_summaries, public.visible_render_artifacts,
    public.v1_check_observations
FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT ON public.user_plans, public.brands, public.visible_urls, public.visible_observations,
    public.visible_change_events, public.visible_change_summaries, public.visible_render_artifacts
TO authenticated, service_role;


-- == Closed ====================================================================================
-- Only the owner and service_role. A user's API has no use for them, or they tell of others.

-- closed: url_identity: which URL rules the identities were made with
-- closed: source_numbers: a counter
-- closed: sources_master_list: what the owner follows, with addresses of private networks
-- closed: source_fetch_state: the scan's own memory
-- closed: source_left_out: the scan's own memory
-- closed: extracted_article_urls: the owner's ledger; users see what their digests hold
-- closed: article_completions: the owner's ledger
-- closed: article_source_mentions: the owner's ledger
-- closed: url_resolutions: the owner's ledger
-- closed: scraped_articles: whole texts of others
-- closed: scrape_state: the scraper's own memory
-- closed: scan_runs: the owner's ledger
-- closed: scan_source_results: the owner's ledger
-- closed: provider_answers: answers to questions of all users
-- closed: policy_rules: what is blocked, for those who would get around it
-- closed: policy_lists: what is blocked
-- closed: policy_domains: what is blocked
-- closed: url_contents: what pages said at any time, before every start
-- closed: url_check_state: the last page itself, and what was learned of it
-- closed: tracked_urls: V1, written by the older tracker's workers as service_role
-- closed: url_checks: V1, not gated
-- closed: url_changes: V1, not gated
-- closed: summaries: V1, not gated
-- closed: url_renders: V1, not gated
