-- The Postgres tables, made from schema.sql: python scripts/postgres_schema.py. Do not edit.
--
-- Three parts, so that rows can be loaded between the first and the second: tables; keys and indexes;
-- guards, which close every table to everybody but its owner and service_role. What users may do is
-- added by postgres_access.sql. Text is compared by its bytes, as in SQLite. A key over an address of
-- any length is a unique index over its digest.
--
-- Left in SQLite:
--   clock: the time of one command, empty between transactions
--   access_tokens: what lets a browser into this file's own pages
--   file_owner: whose file it is
--   push_targets: which databases a file is pushed to
--   change_log: what they do not have yet
--   article_documents: numbers of the SQLite search index, remade from the articles
--   article_search: the SQLite search index

-- == tables ==

CREATE TABLE public.url_identity (
    id bigint NOT NULL CHECK (id = 1),
    canon_version bigint NOT NULL CHECK (canon_version >= 1),
    rules_version bigint NOT NULL CHECK (rules_version >= 1),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.users (
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> ''),
    role text COLLATE "C" NOT NULL DEFAULT 'user' CHECK (role IN ('admin', 'user')),
    password_hash text COLLATE "C" CHECK (password_hash <> ''),
    session_epoch bigint NOT NULL DEFAULT 0 CHECK (session_epoch >= 0),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.plan_definitions (
    plan text COLLATE "C" NOT NULL CHECK (plan <> ''),
    max_tracked_urls bigint CHECK (max_tracked_urls >= 0),
    full_history boolean NOT NULL DEFAULT false,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.subscriptions (
    user_id uuid NOT NULL,
    plan text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'past_due', 'canceled')),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.onboarding_state (
    user_id uuid NOT NULL,
    step text COLLATE "C" NOT NULL CHECK (step <> ''),
    completed_at timestamptz(0) CHECK (completed_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.settings (
    user_id uuid NOT NULL,
    article_history_days bigint NOT NULL DEFAULT 90 CHECK (article_history_days BETWEEN 0 AND 365),
    source_diversity_window bigint NOT NULL DEFAULT 0 CHECK (source_diversity_window BETWEEN 0 AND 100),
    max_items_per_category bigint NOT NULL DEFAULT 5 CHECK (max_items_per_category BETWEEN 1 AND 100),
    language text COLLATE "C" NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'fr')),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.source_numbers (
    url_scraping_method text COLLATE "C" NOT NULL CHECK (url_scraping_method IN ('RSS', 'Direct')),
    last_number bigint NOT NULL DEFAULT 0 CHECK (last_number >= 0),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.sources_master_list (
    source_uuid text COLLATE "C" NOT NULL CHECK ((source_uuid ~ '^W_RSS_[1-9]' AND SUBSTRING(source_uuid FROM 7) !~ '[^0-9]' OR source_uuid ~ '^W_DIRECT_[1-9]' AND SUBSTRING(source_uuid FROM 10) !~ '[^0-9]')),
    source_name text COLLATE "C" NOT NULL CHECK (source_name <> ''),
    source_url text COLLATE "C" NOT NULL CHECK (source_url <> ''),
    url_scraping_method text COLLATE "C" NOT NULL CHECK (url_scraping_method IN ('RSS', 'Direct')),
    is_active boolean NOT NULL DEFAULT true,
    paused_reason text COLLATE "C" CHECK (paused_reason <> ''),
    removed_at timestamptz(0) CHECK (removed_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    site_url text COLLATE "C" CHECK (site_url <> ''),
    folder text COLLATE "C" CHECK (folder <> ''),
    allow_private boolean NOT NULL DEFAULT false,
    link_selector text COLLATE "C" CHECK (link_selector <> ''),
    date_selector text COLLATE "C" CHECK (date_selector <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK (removed_at IS NULL OR is_active = FALSE),
    CHECK (starts_with(source_uuid, 'W_' || upper(url_scraping_method) || '_'))
);

CREATE TABLE public.source_fetch_state (
    source_uuid text COLLATE "C" NOT NULL,
    etag text COLLATE "C" CHECK (etag <> ''),
    last_modified text COLLATE "C" CHECK (last_modified <> ''),
    body_sha256 text COLLATE "C" CHECK (octet_length(body_sha256) = 64 AND length(body_sha256) = 64 AND body_sha256 !~ '[^0-9a-f]'),
    last_scanned_at timestamptz(0) CHECK (last_scanned_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    last_success_at timestamptz(0) CHECK (last_success_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    next_scan_at timestamptz(0) CHECK (next_scan_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    read_since timestamptz(0) CHECK (read_since BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    min_interval_s bigint CHECK (min_interval_s >= 0),
    consecutive_failures bigint NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
    last_error text COLLATE "C" CHECK (last_error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.extracted_article_urls (
    article_uuid text COLLATE "C" NOT NULL CHECK (octet_length(article_uuid) = 18 AND length(article_uuid) = 18 AND article_uuid ~ '^A_' AND SUBSTRING(article_uuid FROM 3) !~ '[^0-9a-f]'),
    source_uuid text COLLATE "C" NOT NULL,
    url_scraping_method text COLLATE "C" NOT NULL CHECK (url_scraping_method IN ('RSS', 'Direct')),
    source_url text COLLATE "C" NOT NULL CHECK (source_url <> ''),
    article_title text COLLATE "C" CHECK (article_title <> ''),
    article_url_original text COLLATE "C" NOT NULL CHECK (article_url_original <> ''),
    article_url_final text COLLATE "C" NOT NULL CHECK (article_url_final <> ''),
    url_original_to_final_match boolean NOT NULL,
    url_notes text COLLATE "C" CHECK (url_notes <> ''),
    published_utc_iso timestamptz(0) CHECK (published_utc_iso BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    article_detected_utc_iso timestamptz(0) NOT NULL CHECK (article_detected_utc_iso BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK (url_original_to_final_match = (article_url_original = article_url_final)),
    CHECK (NOT url_notes IS NULL OR url_original_to_final_match = TRUE)
);

CREATE TABLE public.article_completions (
    article_uuid text COLLATE "C" NOT NULL,
    field text COLLATE "C" NOT NULL CHECK (field IN ('article_title', 'published_utc_iso')),
    completed_at timestamptz(0) NOT NULL CHECK (completed_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.article_source_mentions (
    article_uuid text COLLATE "C" NOT NULL,
    source_uuid text COLLATE "C" NOT NULL,
    article_url_original text COLLATE "C" NOT NULL CHECK (article_url_original <> ''),
    first_seen_at timestamptz(0) NOT NULL CHECK (first_seen_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    found_by text COLLATE "C" CHECK (found_by <> ''),
    date_from text COLLATE "C" CHECK (date_from <> ''),
    published_raw text COLLATE "C" CHECK (published_raw <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_resolutions (
    article_url_original text COLLATE "C" NOT NULL CHECK (article_url_original <> ''),
    article_uuid text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('resolved', 'unresolved', 'failed')),
    resolved_url text COLLATE "C" CHECK (resolved_url <> ''),
    hops jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(hops) IS NOT DISTINCT FROM 'array'),
    http_status bigint CHECK (http_status BETWEEN 100 AND 599),
    attempts bigint NOT NULL DEFAULT 1 CHECK (attempts >= 1),
    next_attempt_at timestamptz(0) CHECK (next_attempt_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    last_error text COLLATE "C" CHECK (last_error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK ((NOT next_attempt_at IS NULL) = (status IS NOT DISTINCT FROM 'unresolved'))
);

CREATE TABLE public.source_left_out (
    source_uuid text COLLATE "C" NOT NULL,
    left_out jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(left_out) IS NOT DISTINCT FROM 'array'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.scraped_articles (
    scrape_id uuid NOT NULL,
    article_uuid text COLLATE "C" NOT NULL,
    scraped_at timestamptz(0) NOT NULL CHECK (scraped_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    http_status bigint CHECK (http_status BETWEEN 100 AND 599),
    title text COLLATE "C" CHECK (title <> ''),
    author text COLLATE "C" CHECK (author <> ''),
    language text COLLATE "C" CHECK (language <> ''),
    published_utc_iso timestamptz(0) CHECK (published_utc_iso BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    content_text text COLLATE "C" NOT NULL CHECK (content_text <> ''),
    content_sha256 text COLLATE "C" NOT NULL CHECK (octet_length(content_sha256) = 64 AND length(content_sha256) = 64 AND content_sha256 !~ '[^0-9a-f]'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.scrape_state (
    article_uuid text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ok', 'empty', 'failed', 'gone')),
    attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_attempt_at timestamptz(0) CHECK (next_attempt_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    last_error text COLLATE "C" CHECK (last_error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.scan_runs (
    run_id uuid NOT NULL,
    started_at timestamptz(0) NOT NULL CHECK (started_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    finished_at timestamptz(0) CHECK (finished_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    sources bigint NOT NULL DEFAULT 0 CHECK (sources >= 0),
    window_s bigint CHECK (window_s >= 0),
    failed bigint NOT NULL DEFAULT 0 CHECK (failed >= 0),
    not_modified bigint NOT NULL DEFAULT 0 CHECK (not_modified >= 0),
    entries bigint NOT NULL DEFAULT 0 CHECK (entries >= 0),
    new bigint NOT NULL DEFAULT 0 CHECK (new >= 0),
    known bigint NOT NULL DEFAULT 0 CHECK (known >= 0),
    outside_window bigint NOT NULL DEFAULT 0 CHECK (outside_window >= 0),
    undated bigint NOT NULL DEFAULT 0 CHECK (undated >= 0),
    requests bigint NOT NULL DEFAULT 0 CHECK (requests >= 0),
    duration_ms bigint NOT NULL DEFAULT 0 CHECK (duration_ms >= 0),
    outcome text COLLATE "C" NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'ok', 'failed')),
    error text COLLATE "C" CHECK (error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.scan_source_results (
    run_id uuid NOT NULL,
    source_uuid text COLLATE "C" NOT NULL,
    http_status bigint CHECK (http_status BETWEEN 100 AND 599),
    entries bigint NOT NULL DEFAULT 0 CHECK (entries >= 0),
    new bigint NOT NULL DEFAULT 0 CHECK (new >= 0),
    known bigint NOT NULL DEFAULT 0 CHECK (known >= 0),
    outside_window bigint NOT NULL DEFAULT 0 CHECK (outside_window >= 0),
    undated bigint NOT NULL DEFAULT 0 CHECK (undated >= 0),
    duration_ms bigint NOT NULL DEFAULT 0 CHECK (duration_ms >= 0),
    lane text COLLATE "C" CHECK (lane <> ''),
    moved_to text COLLATE "C" CHECK (moved_to <> ''),
    outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('ok', 'not_modified', 'unchanged', 'failed', 'gone')),
    error text COLLATE "C" CHECK (error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.categories (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> ''),
    description text COLLATE "C" CHECK (description <> ''),
    keywords jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(keywords) IS NOT DISTINCT FROM 'array'),
    position bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.user_sources (
    user_id uuid NOT NULL,
    source_uuid text COLLATE "C" NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.article_history (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    url_hash text COLLATE "C" NOT NULL CHECK (octet_length(url_hash) = 64 AND length(url_hash) = 64 AND url_hash !~ '[^0-9a-f]'),
    url text COLLATE "C" NOT NULL CHECK (url <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.syntheses (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    title text COLLATE "C" CHECK (title <> ''),
    providers jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(providers) IS NOT DISTINCT FROM 'object'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.synthesis_items (
    id uuid NOT NULL,
    synthesis_id uuid NOT NULL,
    category text COLLATE "C" NOT NULL CHECK (category <> ''),
    position bigint NOT NULL CHECK (position >= 0),
    article_uuid text COLLATE "C",
    url text COLLATE "C" NOT NULL CHECK (url <> ''),
    title text COLLATE "C" CHECK (title <> ''),
    summary text COLLATE "C" CHECK (summary <> ''),
    source text COLLATE "C" CHECK (source <> ''),
    score double precision CHECK (score <> 'NaN'),
    why text COLLATE "C" NOT NULL CHECK (why <> ''),
    other_links jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(other_links) IS NOT DISTINCT FROM 'array'),
    published_utc_iso timestamptz(0) CHECK (published_utc_iso BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.provider_answers (
    question_sha256 text COLLATE "C" NOT NULL CHECK (octet_length(question_sha256) = 64 AND length(question_sha256) = 64 AND question_sha256 !~ '[^0-9a-f]'),
    model text COLLATE "C" NOT NULL CHECK (model <> ''),
    answer jsonb NOT NULL CHECK (jsonb_typeof(answer) IS NOT DISTINCT FROM 'object'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.synthesis_candidates (
    synthesis_id uuid NOT NULL,
    url text COLLATE "C" NOT NULL CHECK (url <> ''),
    article_uuid text COLLATE "C",
    outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('taken', 'history', 'diversity', 'duplicate', 'empty', 'over_quota', 'policy', 'unclassified', 'homepage', 'failed', 'outside_window', 'over_budget', 'no_identity')),
    detail text COLLATE "C" CHECK (detail <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.brand_library_brands (
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> ''),
    domain text COLLATE "C" NOT NULL CHECK (domain <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.brand_domains (
    domain text COLLATE "C" NOT NULL CHECK (domain <> ''),
    brand_id uuid NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.urls (
    id uuid NOT NULL,
    canonical_url text COLLATE "C" NOT NULL CHECK (canonical_url <> ''),
    url text COLLATE "C" NOT NULL CHECK (url <> ''),
    brand_id uuid,
    allow_private boolean NOT NULL DEFAULT false,
    check_frequency text COLLATE "C" NOT NULL DEFAULT 'daily' CHECK (check_frequency IN ('hourly', 'daily', 'weekly', 'monthly')),
    min_interval_s bigint CHECK (min_interval_s >= 60),
    max_interval_s bigint CHECK (max_interval_s >= 60),
    next_check_at timestamptz(0) CHECK (next_check_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    last_checked_at timestamptz(0) CHECK (last_checked_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_submissions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    submitted_url text COLLATE "C" NOT NULL CHECK (submitted_url <> ''),
    canonical_url text COLLATE "C" CHECK (canonical_url <> ''),
    status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'blocked', 'needs_review', 'approved_linked_existing', 'approved_created_global')),
    matched_url_id uuid,
    options jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(options) IS NOT DISTINCT FROM 'object'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK ((NOT matched_url_id IS NULL) = (status IN ('approved_linked_existing', 'approved_created_global')))
);

CREATE TABLE public.url_policy_decisions (
    id uuid NOT NULL,
    submission_id uuid NOT NULL,
    decision text COLLATE "C" NOT NULL CHECK (decision IN ('allow', 'block', 'review')),
    reason_code text COLLATE "C" CHECK (reason_code IN ('adult_content', 'hate_or_extremism', 'malware_or_phishing', 'spam_or_low_quality', 'illegal_or_regulated', 'auth_wall_or_uncheckable', 'duplicate', 'unknown')),
    evidence jsonb NOT NULL CHECK (NOT (evidence -> 'hostname') IS NULL AND NOT (evidence -> 'pattern') IS NULL AND NOT (evidence -> 'reason') IS NULL),
    decided_by uuid,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK (decision IS NOT DISTINCT FROM 'allow' OR NOT reason_code IS NULL)
);

CREATE TABLE public.policy_rules (
    id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('host', 'domain', 'tld', 'path', 'url', 'query')),
    pattern text COLLATE "C" NOT NULL CHECK (pattern <> ''),
    decision text COLLATE "C" NOT NULL CHECK (decision IN ('allow', 'block', 'review')),
    reason_code text COLLATE "C" CHECK (reason_code IN ('adult_content', 'hate_or_extremism', 'malware_or_phishing', 'spam_or_low_quality', 'illegal_or_regulated', 'auth_wall_or_uncheckable', 'duplicate', 'unknown')),
    words text COLLATE "C" CHECK (words <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK (decision IS NOT DISTINCT FROM 'allow' OR NOT reason_code IS NULL)
);

CREATE TABLE public.policy_lists (
    name text COLLATE "C" NOT NULL CHECK (name <> ''),
    decision text COLLATE "C" NOT NULL CHECK (decision IN ('allow', 'block', 'review')),
    reason_code text COLLATE "C" CHECK (reason_code IN ('adult_content', 'hate_or_extremism', 'malware_or_phishing', 'spam_or_low_quality', 'illegal_or_regulated', 'auth_wall_or_uncheckable', 'duplicate', 'unknown')),
    words text COLLATE "C" CHECK (words <> ''),
    domains bigint NOT NULL DEFAULT 0 CHECK (domains >= 0),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK (decision IS NOT DISTINCT FROM 'allow' OR NOT reason_code IS NULL)
);

CREATE TABLE public.policy_domains (
    list_name text COLLATE "C" NOT NULL,
    domain text COLLATE "C" NOT NULL CHECK (domain <> ''),
    subdomains boolean NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.user_url_library (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    url_id uuid NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    history_start_at timestamptz(0) CHECK (history_start_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_observations (
    id uuid NOT NULL,
    url_id uuid NOT NULL,
    checked_at timestamptz(0) NOT NULL CHECK (checked_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    checked_day date NOT NULL CHECK (checked_day BETWEEN '0001-01-01' AND '9999-12-31'),
    http_status bigint CHECK (http_status BETWEEN 100 AND 599),
    content_sha256 text COLLATE "C" CHECK (octet_length(content_sha256) = 64 AND length(content_sha256) = 64 AND content_sha256 !~ '[^0-9a-f]'),
    outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('ok', 'not_modified', 'empty', 'challenge', 'failed')),
    error text COLLATE "C" CHECK (error <> ''),
    body_bytes bigint CHECK (body_bytes >= 0),
    extractor bigint CHECK (extractor >= 1),
    origin text COLLATE "C" NOT NULL DEFAULT 'check' CHECK (origin IN ('check', 'v1')),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    CHECK (checked_day IS NOT DISTINCT FROM (checked_at AT TIME ZONE 'UTC')::date)
);

CREATE TABLE public.url_contents (
    content_sha256 text COLLATE "C" NOT NULL CHECK (octet_length(content_sha256) = 64 AND length(content_sha256) = 64 AND content_sha256 !~ '[^0-9a-f]'),
    content bytea NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_check_state (
    url_id uuid NOT NULL,
    etag text COLLATE "C" CHECK (etag <> ''),
    last_modified text COLLATE "C" CHECK (last_modified <> ''),
    body_sha256 text COLLATE "C" CHECK (octet_length(body_sha256) = 64 AND length(body_sha256) = 64 AND body_sha256 !~ '[^0-9a-f]'),
    body bytea,
    body_url text COLLATE "C" CHECK (body_url <> ''),
    body_charset text COLLATE "C" CHECK (body_charset <> ''),
    extractor bigint CHECK (extractor >= 1),
    content_sha256 text COLLATE "C",
    observation_id uuid,
    memory jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(memory) IS NOT DISTINCT FROM 'object'),
    interval_s bigint CHECK (interval_s >= 60),
    consecutive_failures bigint NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
    last_error text COLLATE "C" CHECK (last_error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_change_events (
    id uuid NOT NULL,
    url_id uuid NOT NULL,
    observation_id uuid,
    detected_at timestamptz(0) NOT NULL CHECK (detected_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('title', 'price', 'availability', 'text_added', 'text_removed', 'text_changed', 'table', 'link', 'status')),
    state text COLLATE "C" NOT NULL DEFAULT 'real' CHECK (state IN ('real', 'provisional', 'volatile')),
    magnitude double precision NOT NULL DEFAULT 0 CHECK (magnitude BETWEEN 0 AND 1) CHECK (magnitude <> 'NaN'),
    "before" text COLLATE "C",
    "after" text COLLATE "C",
    diff jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(diff) IS NOT DISTINCT FROM 'array'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_change_summaries (
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    summary text COLLATE "C" NOT NULL CHECK (summary <> ''),
    method text COLLATE "C" NOT NULL CHECK (method <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.told_events (
    user_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_render_artifacts (
    id uuid NOT NULL,
    url_id uuid NOT NULL,
    observation_id uuid,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('text', 'diff_html', 'screenshot', 'v1')),
    content bytea NOT NULL,
    content_sha256 text COLLATE "C" CHECK (octet_length(content_sha256) = 64 AND length(content_sha256) = 64 AND content_sha256 !~ '[^0-9a-f]'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.trend_definitions (
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> ''),
    metric text COLLATE "C" NOT NULL CHECK (metric IN ('changes', 'discoveries')),
    scope text COLLATE "C" NOT NULL CHECK (scope IN ('all', 'brand', 'category', 'source', 'reason')),
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.trend_points (
    trend_id uuid NOT NULL,
    day date NOT NULL CHECK (day BETWEEN '0001-01-01' AND '9999-12-31'),
    series text COLLATE "C" NOT NULL DEFAULT 'all' CHECK (series <> ''),
    value double precision NOT NULL CHECK (value <> 'NaN'),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.tracked_urls (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    url text COLLATE "C" NOT NULL CHECK (url <> ''),
    canonical_url text COLLATE "C" CHECK (canonical_url <> ''),
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    updated_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (updated_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_checks (
    id uuid NOT NULL,
    tracked_url_id uuid NOT NULL,
    checked_at timestamptz(0) NOT NULL CHECK (checked_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    status_code bigint CHECK (status_code BETWEEN 100 AND 599),
    content_hash text COLLATE "C" CHECK (octet_length(content_hash) = 64 AND length(content_hash) = 64 AND content_hash !~ '[^0-9a-f]'),
    error text COLLATE "C" CHECK (error <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_changes (
    id uuid NOT NULL,
    tracked_url_id uuid NOT NULL,
    check_id uuid,
    detected_at timestamptz(0) NOT NULL CHECK (detected_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00'),
    "before" text COLLATE "C",
    "after" text COLLATE "C",
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.summaries (
    id uuid NOT NULL,
    change_id uuid NOT NULL,
    summary text COLLATE "C" NOT NULL CHECK (summary <> ''),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

CREATE TABLE public.url_renders (
    id uuid NOT NULL,
    tracked_url_id uuid NOT NULL,
    check_id uuid,
    content bytea NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now()) CHECK (created_at BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59+00')
);

-- == keys ==

ALTER TABLE public.url_identity ADD CONSTRAINT url_identity_pkey PRIMARY KEY (id);
ALTER TABLE public.users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE public.users ADD CONSTRAINT users_name_key UNIQUE (name);
ALTER TABLE public.plan_definitions ADD CONSTRAINT plan_definitions_pkey PRIMARY KEY (plan);
ALTER TABLE public.subscriptions ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (user_id);
ALTER TABLE public.onboarding_state ADD CONSTRAINT onboarding_state_pkey PRIMARY KEY (user_id);
ALTER TABLE public.settings ADD CONSTRAINT settings_pkey PRIMARY KEY (user_id);
ALTER TABLE public.source_numbers ADD CONSTRAINT source_numbers_pkey PRIMARY KEY (url_scraping_method);
ALTER TABLE public.sources_master_list ADD CONSTRAINT sources_master_list_pkey PRIMARY KEY (source_uuid);
ALTER TABLE public.sources_master_list ADD CONSTRAINT sources_master_list_source_url_key UNIQUE (source_url);
ALTER TABLE public.source_fetch_state ADD CONSTRAINT source_fetch_state_pkey PRIMARY KEY (source_uuid);
ALTER TABLE public.extracted_article_urls ADD CONSTRAINT extracted_article_urls_pkey PRIMARY KEY (article_uuid);
ALTER TABLE public.extracted_article_urls ADD CONSTRAINT extracted_article_urls_article_url_final_key UNIQUE (article_url_final);
ALTER TABLE public.article_completions ADD CONSTRAINT article_completions_pkey PRIMARY KEY (article_uuid, field);
ALTER TABLE public.article_source_mentions ADD CONSTRAINT article_source_mentions_pkey PRIMARY KEY (article_uuid, source_uuid);
CREATE UNIQUE INDEX url_resolutions_pkey ON public.url_resolutions (sha256(replace(article_url_original, '\', '\\')::bytea));
ALTER TABLE public.source_left_out ADD CONSTRAINT source_left_out_pkey PRIMARY KEY (source_uuid);
ALTER TABLE public.scraped_articles ADD CONSTRAINT scraped_articles_pkey PRIMARY KEY (scrape_id);
ALTER TABLE public.scraped_articles ADD CONSTRAINT scraped_articles_article_uuid_content_sha256_key UNIQUE (article_uuid, content_sha256);
ALTER TABLE public.scrape_state ADD CONSTRAINT scrape_state_pkey PRIMARY KEY (article_uuid);
ALTER TABLE public.scan_runs ADD CONSTRAINT scan_runs_pkey PRIMARY KEY (run_id);
ALTER TABLE public.scan_source_results ADD CONSTRAINT scan_source_results_pkey PRIMARY KEY (run_id, source_uuid);
ALTER TABLE public.categories ADD CONSTRAINT categories_pkey PRIMARY KEY (id);
ALTER TABLE public.categories ADD CONSTRAINT categories_user_id_name_key UNIQUE (user_id, name);
ALTER TABLE public.user_sources ADD CONSTRAINT user_sources_pkey PRIMARY KEY (user_id, source_uuid);
ALTER TABLE public.article_history ADD CONSTRAINT article_history_pkey PRIMARY KEY (id);
ALTER TABLE public.syntheses ADD CONSTRAINT syntheses_pkey PRIMARY KEY (id);
ALTER TABLE public.synthesis_items ADD CONSTRAINT synthesis_items_pkey PRIMARY KEY (id);
ALTER TABLE public.synthesis_items ADD CONSTRAINT synthesis_items_synthesis_id_category_position_key UNIQUE (synthesis_id, category, position);
ALTER TABLE public.provider_answers ADD CONSTRAINT provider_answers_pkey PRIMARY KEY (question_sha256);
CREATE UNIQUE INDEX synthesis_candidates_pkey ON public.synthesis_candidates (synthesis_id, sha256(replace(url, '\', '\\')::bytea));
ALTER TABLE public.brand_library_brands ADD CONSTRAINT brand_library_brands_pkey PRIMARY KEY (id);
ALTER TABLE public.brand_library_brands ADD CONSTRAINT brand_library_brands_domain_key UNIQUE (domain);
ALTER TABLE public.brand_domains ADD CONSTRAINT brand_domains_pkey PRIMARY KEY (domain);
ALTER TABLE public.urls ADD CONSTRAINT urls_pkey PRIMARY KEY (id);
ALTER TABLE public.urls ADD CONSTRAINT urls_canonical_url_key UNIQUE (canonical_url);
ALTER TABLE public.url_submissions ADD CONSTRAINT url_submissions_pkey PRIMARY KEY (id);
ALTER TABLE public.url_policy_decisions ADD CONSTRAINT url_policy_decisions_pkey PRIMARY KEY (id);
ALTER TABLE public.policy_rules ADD CONSTRAINT policy_rules_pkey PRIMARY KEY (id);
ALTER TABLE public.policy_rules ADD CONSTRAINT policy_rules_kind_pattern_key UNIQUE (kind, pattern);
ALTER TABLE public.policy_lists ADD CONSTRAINT policy_lists_pkey PRIMARY KEY (name);
ALTER TABLE public.policy_domains ADD CONSTRAINT policy_domains_pkey PRIMARY KEY (list_name, domain);
ALTER TABLE public.user_url_library ADD CONSTRAINT user_url_library_pkey PRIMARY KEY (id);
ALTER TABLE public.user_url_library ADD CONSTRAINT user_url_library_user_id_url_id_key UNIQUE (user_id, url_id);
ALTER TABLE public.url_observations ADD CONSTRAINT url_observations_pkey PRIMARY KEY (id);
ALTER TABLE public.url_contents ADD CONSTRAINT url_contents_pkey PRIMARY KEY (content_sha256);
ALTER TABLE public.url_check_state ADD CONSTRAINT url_check_state_pkey PRIMARY KEY (url_id);
ALTER TABLE public.url_change_events ADD CONSTRAINT url_change_events_pkey PRIMARY KEY (id);
ALTER TABLE public.url_change_summaries ADD CONSTRAINT url_change_summaries_pkey PRIMARY KEY (id);
ALTER TABLE public.told_events ADD CONSTRAINT told_events_pkey PRIMARY KEY (user_id, event_id);
ALTER TABLE public.url_render_artifacts ADD CONSTRAINT url_render_artifacts_pkey PRIMARY KEY (id);
ALTER TABLE public.trend_definitions ADD CONSTRAINT trend_definitions_pkey PRIMARY KEY (id);
ALTER TABLE public.trend_definitions ADD CONSTRAINT trend_definitions_name_key UNIQUE (name);
ALTER TABLE public.trend_points ADD CONSTRAINT trend_points_pkey PRIMARY KEY (trend_id, series, day);
ALTER TABLE public.tracked_urls ADD CONSTRAINT tracked_urls_pkey PRIMARY KEY (id);
ALTER TABLE public.url_checks ADD CONSTRAINT url_checks_pkey PRIMARY KEY (id);
ALTER TABLE public.url_changes ADD CONSTRAINT url_changes_pkey PRIMARY KEY (id);
ALTER TABLE public.summaries ADD CONSTRAINT summaries_pkey PRIMARY KEY (id);
ALTER TABLE public.url_renders ADD CONSTRAINT url_renders_pkey PRIMARY KEY (id);
CREATE INDEX idx_subscriptions_plan ON public.subscriptions (plan);
CREATE INDEX idx_source_fetch_state_next ON public.source_fetch_state (next_scan_at);
CREATE INDEX idx_extracted_article_urls_source ON public.extracted_article_urls (source_uuid, article_detected_utc_iso);
CREATE INDEX idx_extracted_article_urls_original ON public.extracted_article_urls USING hash (article_url_original);
CREATE INDEX idx_extracted_article_urls_detected ON public.extracted_article_urls (article_detected_utc_iso);
CREATE INDEX idx_extracted_article_urls_published ON public.extracted_article_urls (published_utc_iso);
CREATE INDEX idx_article_source_mentions_source ON public.article_source_mentions (source_uuid, first_seen_at);
CREATE INDEX idx_url_resolutions_article ON public.url_resolutions (article_uuid);
CREATE INDEX idx_url_resolutions_due ON public.url_resolutions (next_attempt_at) WHERE status = 'unresolved';
CREATE INDEX idx_scrape_state_due ON public.scrape_state (status, next_attempt_at);
CREATE INDEX idx_scan_runs_started ON public.scan_runs (started_at);
CREATE INDEX idx_scan_source_results_source ON public.scan_source_results (source_uuid, created_at);
CREATE INDEX idx_user_sources_source ON public.user_sources (source_uuid);
CREATE UNIQUE INDEX idx_article_history_user_url ON public.article_history (user_id, url_hash);
CREATE INDEX idx_article_history_age ON public.article_history (user_id, created_at);
CREATE INDEX idx_syntheses_user ON public.syntheses (user_id, created_at);
CREATE INDEX idx_synthesis_items_article ON public.synthesis_items (article_uuid);
CREATE INDEX idx_synthesis_candidates_article ON public.synthesis_candidates (article_uuid);
CREATE INDEX idx_brand_domains_brand ON public.brand_domains (brand_id);
CREATE INDEX idx_urls_next_check ON public.urls (next_check_at);
CREATE INDEX idx_urls_brand ON public.urls (brand_id);
CREATE INDEX idx_url_submissions_user ON public.url_submissions (user_id, created_at);
CREATE INDEX idx_url_submissions_status ON public.url_submissions (status, created_at);
CREATE INDEX idx_url_submissions_matched ON public.url_submissions (matched_url_id);
CREATE INDEX idx_url_policy_decisions_submission ON public.url_policy_decisions (submission_id);
CREATE INDEX idx_url_policy_decisions_decided_by ON public.url_policy_decisions (decided_by);
CREATE INDEX idx_user_url_library_url ON public.user_url_library (url_id, user_id);
CREATE INDEX idx_url_observations_url ON public.url_observations (url_id, checked_at);
CREATE UNIQUE INDEX idx_url_observations_v1_day ON public.url_observations (url_id, checked_day) WHERE origin = 'v1';
CREATE INDEX idx_url_check_state_content ON public.url_check_state (content_sha256);
CREATE INDEX idx_url_check_state_observation ON public.url_check_state (observation_id);
CREATE INDEX idx_url_change_events_url ON public.url_change_events (url_id, detected_at);
CREATE INDEX idx_url_change_events_detected ON public.url_change_events (detected_at);
CREATE INDEX idx_url_change_events_observation ON public.url_change_events (observation_id);
CREATE INDEX idx_url_change_summaries_event ON public.url_change_summaries (event_id);
CREATE INDEX idx_told_events_event ON public.told_events (event_id);
CREATE INDEX idx_url_render_artifacts_url ON public.url_render_artifacts (url_id, created_at);
CREATE INDEX idx_url_render_artifacts_observation ON public.url_render_artifacts (observation_id);
CREATE INDEX idx_tracked_urls_canonical ON public.tracked_urls (canonical_url);
CREATE INDEX idx_tracked_urls_user ON public.tracked_urls (user_id);
CREATE INDEX idx_url_checks_tracked ON public.url_checks (tracked_url_id, checked_at);
CREATE INDEX idx_url_changes_tracked ON public.url_changes (tracked_url_id, detected_at);
CREATE INDEX idx_url_changes_check ON public.url_changes (check_id);
CREATE INDEX idx_summaries_change ON public.summaries (change_id);
CREATE INDEX idx_url_renders_tracked ON public.url_renders (tracked_url_id);
CREATE INDEX idx_url_renders_check ON public.url_renders (check_id);
ALTER TABLE public.subscriptions ADD CONSTRAINT subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.subscriptions ADD CONSTRAINT subscriptions_plan_fkey FOREIGN KEY (plan) REFERENCES public.plan_definitions (plan) DEFERRABLE;
ALTER TABLE public.onboarding_state ADD CONSTRAINT onboarding_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.settings ADD CONSTRAINT settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.source_fetch_state ADD CONSTRAINT source_fetch_state_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES public.sources_master_list (source_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.extracted_article_urls ADD CONSTRAINT extracted_article_urls_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES public.sources_master_list (source_uuid) DEFERRABLE;
ALTER TABLE public.article_completions ADD CONSTRAINT article_completions_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.article_source_mentions ADD CONSTRAINT article_source_mentions_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.article_source_mentions ADD CONSTRAINT article_source_mentions_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES public.sources_master_list (source_uuid) DEFERRABLE;
ALTER TABLE public.url_resolutions ADD CONSTRAINT url_resolutions_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.source_left_out ADD CONSTRAINT source_left_out_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES public.sources_master_list (source_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.scraped_articles ADD CONSTRAINT scraped_articles_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.scrape_state ADD CONSTRAINT scrape_state_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.scan_source_results ADD CONSTRAINT scan_source_results_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.scan_runs (run_id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.scan_source_results ADD CONSTRAINT scan_source_results_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES public.sources_master_list (source_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.categories ADD CONSTRAINT categories_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.user_sources ADD CONSTRAINT user_sources_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.user_sources ADD CONSTRAINT user_sources_source_uuid_fkey FOREIGN KEY (source_uuid) REFERENCES public.sources_master_list (source_uuid) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.article_history ADD CONSTRAINT article_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.syntheses ADD CONSTRAINT syntheses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.synthesis_items ADD CONSTRAINT synthesis_items_synthesis_id_fkey FOREIGN KEY (synthesis_id) REFERENCES public.syntheses (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.synthesis_items ADD CONSTRAINT synthesis_items_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) DEFERRABLE;
ALTER TABLE public.synthesis_candidates ADD CONSTRAINT synthesis_candidates_synthesis_id_fkey FOREIGN KEY (synthesis_id) REFERENCES public.syntheses (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.synthesis_candidates ADD CONSTRAINT synthesis_candidates_article_uuid_fkey FOREIGN KEY (article_uuid) REFERENCES public.extracted_article_urls (article_uuid) DEFERRABLE;
ALTER TABLE public.brand_domains ADD CONSTRAINT brand_domains_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES public.brand_library_brands (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.urls ADD CONSTRAINT urls_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES public.brand_library_brands (id) DEFERRABLE;
ALTER TABLE public.url_submissions ADD CONSTRAINT url_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_submissions ADD CONSTRAINT url_submissions_matched_url_id_fkey FOREIGN KEY (matched_url_id) REFERENCES public.urls (id) DEFERRABLE;
ALTER TABLE public.url_policy_decisions ADD CONSTRAINT url_policy_decisions_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.url_submissions (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_policy_decisions ADD CONSTRAINT url_policy_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.users (id) ON DELETE SET NULL DEFERRABLE;
ALTER TABLE public.policy_domains ADD CONSTRAINT policy_domains_list_name_fkey FOREIGN KEY (list_name) REFERENCES public.policy_lists (name) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.user_url_library ADD CONSTRAINT user_url_library_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.user_url_library ADD CONSTRAINT user_url_library_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls (id) DEFERRABLE;
ALTER TABLE public.url_observations ADD CONSTRAINT url_observations_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_check_state ADD CONSTRAINT url_check_state_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_check_state ADD CONSTRAINT url_check_state_content_sha256_fkey FOREIGN KEY (content_sha256) REFERENCES public.url_contents (content_sha256) DEFERRABLE;
ALTER TABLE public.url_check_state ADD CONSTRAINT url_check_state_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.url_observations (id) ON DELETE SET NULL DEFERRABLE;
ALTER TABLE public.url_change_events ADD CONSTRAINT url_change_events_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_change_events ADD CONSTRAINT url_change_events_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.url_observations (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_change_summaries ADD CONSTRAINT url_change_summaries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.url_change_events (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.told_events ADD CONSTRAINT told_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.told_events ADD CONSTRAINT told_events_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.url_change_events (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_render_artifacts ADD CONSTRAINT url_render_artifacts_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_render_artifacts ADD CONSTRAINT url_render_artifacts_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.url_observations (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.trend_points ADD CONSTRAINT trend_points_trend_id_fkey FOREIGN KEY (trend_id) REFERENCES public.trend_definitions (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.tracked_urls ADD CONSTRAINT tracked_urls_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_checks ADD CONSTRAINT url_checks_tracked_url_id_fkey FOREIGN KEY (tracked_url_id) REFERENCES public.tracked_urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_changes ADD CONSTRAINT url_changes_tracked_url_id_fkey FOREIGN KEY (tracked_url_id) REFERENCES public.tracked_urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_changes ADD CONSTRAINT url_changes_check_id_fkey FOREIGN KEY (check_id) REFERENCES public.url_checks (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.summaries ADD CONSTRAINT summaries_change_id_fkey FOREIGN KEY (change_id) REFERENCES public.url_changes (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_renders ADD CONSTRAINT url_renders_tracked_url_id_fkey FOREIGN KEY (tracked_url_id) REFERENCES public.tracked_urls (id) ON DELETE CASCADE DEFERRABLE;
ALTER TABLE public.url_renders ADD CONSTRAINT url_renders_check_id_fkey FOREIGN KEY (check_id) REFERENCES public.url_checks (id) ON DELETE CASCADE DEFERRABLE;

-- == guards ==

ALTER TABLE public.url_identity ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_identity FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_identity TO service_role;
CREATE POLICY service ON public.url_identity TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER url_identity_touched BEFORE UPDATE ON public.url_identity FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.users FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.users TO service_role;
CREATE POLICY service ON public.users TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER users_touched BEFORE UPDATE ON public.users FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.plan_definitions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.plan_definitions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.plan_definitions TO service_role;
CREATE POLICY service ON public.plan_definitions TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER plan_definitions_touched BEFORE UPDATE ON public.plan_definitions FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.subscriptions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.subscriptions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.subscriptions TO service_role;
CREATE POLICY service ON public.subscriptions TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER subscriptions_touched BEFORE UPDATE ON public.subscriptions FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.onboarding_state ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.onboarding_state FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.onboarding_state TO service_role;
CREATE POLICY service ON public.onboarding_state TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER onboarding_state_touched BEFORE UPDATE ON public.onboarding_state FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.settings ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.settings FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.settings TO service_role;
CREATE POLICY service ON public.settings TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER settings_touched BEFORE UPDATE ON public.settings FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.source_numbers ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.source_numbers FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.source_numbers TO service_role;
CREATE POLICY service ON public.source_numbers TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER source_numbers_touched BEFORE UPDATE ON public.source_numbers FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.sources_master_list ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.sources_master_list FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.sources_master_list TO service_role;
CREATE POLICY service ON public.sources_master_list TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER sources_master_list_touched BEFORE UPDATE ON public.sources_master_list FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.source_fetch_state ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.source_fetch_state FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.source_fetch_state TO service_role;
CREATE POLICY service ON public.source_fetch_state TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER source_fetch_state_touched BEFORE UPDATE ON public.source_fetch_state FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.extracted_article_urls ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.extracted_article_urls FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.extracted_article_urls TO service_role;
CREATE POLICY service ON public.extracted_article_urls TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER extracted_article_urls_touched BEFORE UPDATE ON public.extracted_article_urls FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.article_completions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.article_completions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.article_completions TO service_role;
CREATE POLICY service ON public.article_completions TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.article_source_mentions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.article_source_mentions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.article_source_mentions TO service_role;
CREATE POLICY service ON public.article_source_mentions TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.url_resolutions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_resolutions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_resolutions TO service_role;
CREATE POLICY service ON public.url_resolutions TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER url_resolutions_touched BEFORE UPDATE ON public.url_resolutions FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.source_left_out ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.source_left_out FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.source_left_out TO service_role;
CREATE POLICY service ON public.source_left_out TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER source_left_out_touched BEFORE UPDATE ON public.source_left_out FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.scraped_articles ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.scraped_articles FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.scraped_articles TO service_role;
CREATE POLICY service ON public.scraped_articles TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.scrape_state ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.scrape_state FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.scrape_state TO service_role;
CREATE POLICY service ON public.scrape_state TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER scrape_state_touched BEFORE UPDATE ON public.scrape_state FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.scan_runs ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.scan_runs FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.scan_runs TO service_role;
CREATE POLICY service ON public.scan_runs TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER scan_runs_touched BEFORE UPDATE ON public.scan_runs FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.scan_source_results ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.scan_source_results FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.scan_source_results TO service_role;
CREATE POLICY service ON public.scan_source_results TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.categories ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.categories FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.categories TO service_role;
CREATE POLICY service ON public.categories TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER categories_touched BEFORE UPDATE ON public.categories FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.user_sources ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.user_sources FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.user_sources TO service_role;
CREATE POLICY service ON public.user_sources TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.article_history ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.article_history FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.article_history TO service_role;
CREATE POLICY service ON public.article_history TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.syntheses ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.syntheses FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.syntheses TO service_role;
CREATE POLICY service ON public.syntheses TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.synthesis_items ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.synthesis_items FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.synthesis_items TO service_role;
CREATE POLICY service ON public.synthesis_items TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.provider_answers ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.provider_answers FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.provider_answers TO service_role;
CREATE POLICY service ON public.provider_answers TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.synthesis_candidates ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.synthesis_candidates FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.synthesis_candidates TO service_role;
CREATE POLICY service ON public.synthesis_candidates TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.brand_library_brands ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.brand_library_brands FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.brand_library_brands TO service_role;
CREATE POLICY service ON public.brand_library_brands TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER brand_library_brands_touched BEFORE UPDATE ON public.brand_library_brands FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.brand_domains ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.brand_domains FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.brand_domains TO service_role;
CREATE POLICY service ON public.brand_domains TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER brand_domains_touched BEFORE UPDATE ON public.brand_domains FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.urls ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.urls FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.urls TO service_role;
CREATE POLICY service ON public.urls TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER urls_touched BEFORE UPDATE ON public.urls FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.url_submissions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_submissions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_submissions TO service_role;
CREATE POLICY service ON public.url_submissions TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER url_submissions_touched BEFORE UPDATE ON public.url_submissions FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.url_policy_decisions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_policy_decisions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_policy_decisions TO service_role;
CREATE POLICY service ON public.url_policy_decisions TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.policy_rules ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.policy_rules FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.policy_rules TO service_role;
CREATE POLICY service ON public.policy_rules TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER policy_rules_touched BEFORE UPDATE ON public.policy_rules FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.policy_lists ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.policy_lists FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.policy_lists TO service_role;
CREATE POLICY service ON public.policy_lists TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER policy_lists_touched BEFORE UPDATE ON public.policy_lists FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.policy_domains ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.policy_domains FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.policy_domains TO service_role;
CREATE POLICY service ON public.policy_domains TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.user_url_library ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.user_url_library FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.user_url_library TO service_role;
CREATE POLICY service ON public.user_url_library TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER user_url_library_touched BEFORE UPDATE ON public.user_url_library FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.url_observations ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_observations FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_observations TO service_role;
CREATE POLICY service ON public.url_observations TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.url_contents ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_contents FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_contents TO service_role;
CREATE POLICY service ON public.url_contents TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.url_check_state ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_check_state FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_check_state TO service_role;
CREATE POLICY service ON public.url_check_state TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER url_check_state_touched BEFORE UPDATE ON public.url_check_state FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.url_change_events ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_change_events FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_change_events TO service_role;
CREATE POLICY service ON public.url_change_events TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER url_change_events_touched BEFORE UPDATE ON public.url_change_events FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.url_change_summaries ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_change_summaries FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_change_summaries TO service_role;
CREATE POLICY service ON public.url_change_summaries TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.told_events ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.told_events FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.told_events TO service_role;
CREATE POLICY service ON public.told_events TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.url_render_artifacts ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_render_artifacts FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_render_artifacts TO service_role;
CREATE POLICY service ON public.url_render_artifacts TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.trend_definitions ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.trend_definitions FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.trend_definitions TO service_role;
CREATE POLICY service ON public.trend_definitions TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER trend_definitions_touched BEFORE UPDATE ON public.trend_definitions FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.trend_points ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.trend_points FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.trend_points TO service_role;
CREATE POLICY service ON public.trend_points TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER trend_points_touched BEFORE UPDATE ON public.trend_points FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.tracked_urls ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.tracked_urls FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.tracked_urls TO service_role;
CREATE POLICY service ON public.tracked_urls TO service_role USING (true) WITH CHECK (true);
CREATE TRIGGER tracked_urls_touched BEFORE UPDATE ON public.tracked_urls FOR EACH ROW WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at AND NOT digestlog.replaying()) EXECUTE FUNCTION digestlog.touch();

ALTER TABLE public.url_checks ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_checks FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_checks TO service_role;
CREATE POLICY service ON public.url_checks TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.url_changes ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_changes FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_changes TO service_role;
CREATE POLICY service ON public.url_changes TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.summaries ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.summaries FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.summaries TO service_role;
CREATE POLICY service ON public.summaries TO service_role USING (true) WITH CHECK (true);

ALTER TABLE public.url_renders ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON public.url_renders FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.url_renders TO service_role;
CREATE POLICY service ON public.url_renders TO service_role USING (true) WITH CHECK (true);
