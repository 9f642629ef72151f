-- What tables of others may be on PostgreSQL.
CREATE TYPE mood AS ENUM ('sad', 'very happy', '');
CREATE TYPE size AS ENUM ('SMALL', 'EXTRA_LARGE');
CREATE DOMAIN short_text AS varchar(20) CHECK (value <> '');
CREATE DOMAIN very_short_text AS short_text CHECK (length(value) < 5);
CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY);
CREATE TABLE "Weird Accounts" (
    "Account.Id" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    "E-Mail" varchar(254) NOT NULL UNIQUE,
    password_hash text NOT NULL,
    api_token text UNIQUE,
    token_id integer,
    "type" size NOT NULL DEFAULT 'SMALL',
    mood mood,
    nick short_text,
    initials very_short_text NOT NULL,
    country char(2),
    state text NOT NULL CHECK (state IN ('open', 'closed')),
    age smallint CHECK (age BETWEEN 0 AND 150),
    price numeric(10, 2) CHECK (price >= 0),
    seen timestamptz(3),
    huge numeric(38, 10),
    free numeric,
    address inet,
    lasts interval,
    settings jsonb NOT NULL DEFAULT '{}',
    legacy json,
    tags text[],
    fulltext tsvector NOT NULL,
    years int4range,
    photo bytea,
    born date,
    wakes time,
    local_time timestamp,
    created_at timestamptz NOT NULL DEFAULT now(),
    total numeric(12, 2) GENERATED ALWAYS AS (price * 2) STORED,
    serial_number bigserial,
    "Größe (m²)" double precision,
    "…" text,
    "Self" text
);
COMMENT ON TABLE "Weird Accounts" IS 'Who may log in.
Imported in 2009.';
COMMENT ON COLUMN "Weird Accounts"."E-Mail" IS 'Where invoices go.';
ALTER TABLE "Weird Accounts" ENABLE ROW LEVEL SECURITY;
CREATE INDEX weird_by_age ON "Weird Accounts" (age, price);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
CREATE TRIGGER weird_touched BEFORE UPDATE ON "Weird Accounts" FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TABLE options (
    region varchar(2) NOT NULL,
    number integer NOT NULL,
    account uuid REFERENCES "Weird Accounts" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    current_size size,
    PRIMARY KEY (region, number)
);
CREATE TABLE choices (
    code text NOT NULL UNIQUE,
    region varchar(2),
    number integer,
    login varchar(254) REFERENCES "Weird Accounts" ("E-Mail") ON DELETE CASCADE,
    FOREIGN KEY (region, number) REFERENCES options
);
CREATE TABLE readings (day date NOT NULL, sensor integer NOT NULL, value real, PRIMARY KEY (day, sensor));
CREATE TABLE heap (value text);
CREATE VIEW open_accounts AS SELECT "Account.Id" AS id, "E-Mail" AS email, password_hash FROM "Weird Accounts" WHERE state = 'open';
CREATE MATERIALIZED VIEW ages AS SELECT row_number() OVER () AS id, age, count(*) AS accounts FROM "Weird Accounts" GROUP BY age;
