-- What a Postgres database knows of the files that are pushed to it. In the private schema, made by the first
-- push; nobody but the owner of the tables may look at it or change it.

CREATE TABLE IF NOT EXISTS digestlog.push_target (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    target_id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now())
);
INSERT INTO digestlog.push_target DEFAULT VALUES ON CONFLICT DO NOTHING;

-- Until which change of a file its rows are here: written in the same transaction as the rows.
CREATE TABLE IF NOT EXISTS digestlog.push_files (
    file_id uuid PRIMARY KEY,
    token uuid NOT NULL,
    seq bigint NOT NULL,
    -- Was the database empty before this file came? Then, as long as no other comes, its rows are the file's.
    into_empty boolean NOT NULL,
    pushed_at timestamptz(0) NOT NULL,
    created_at timestamptz(0) NOT NULL DEFAULT date_trunc('second', now())
);

-- Under which number a file's source is here, where several files number their own.
CREATE TABLE IF NOT EXISTS digestlog.push_sources (
    file_id uuid NOT NULL REFERENCES digestlog.push_files (file_id) ON DELETE CASCADE DEFERRABLE,
    source_uuid text COLLATE "C" NOT NULL,
    target_uuid text COLLATE "C" NOT NULL,
    PRIMARY KEY (file_id, source_uuid)
);

REVOKE ALL ON digestlog.push_target, digestlog.push_files, digestlog.push_sources
FROM PUBLIC, anon, authenticated, service_role;
