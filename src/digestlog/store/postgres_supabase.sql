-- What differs on Supabase. Loaded after postgres_access.sql.

-- Supabase reads the token itself. Of a plain login its answer counts as little as a claim.
CREATE OR REPLACE FUNCTION digestlog.claimed() RETURNS text
LANGUAGE sql STABLE SET search_path = '' AS $$
    SELECT auth.uid()::text;
$$;

-- Its services that ask on behalf of a signed-in user.
INSERT INTO digestlog.gateways (role_name)
VALUES ('supabase_admin'), ('supabase_realtime_admin'), ('supabase_storage_admin')
ON CONFLICT DO NOTHING;
