-- What tables of others may be on SQLite.
CREATE TABLE "django_migrations" (id INTEGER PRIMARY KEY);
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    "E-Mail" VARCHAR(254) NOT NULL UNIQUE COLLATE NOCASE,
    password_hash TEXT NOT NULL,
    token_id INTEGER,
    is_active BOOLEAN NOT NULL DEFAULT 1,
    rating DECIMAL CHECK (rating > 0 AND rating < 5.5),
    "type" VARCHAR(9) NOT NULL CHECK ("type" IN ('guest', 'power_user')),
    age INTEGER CHECK (age BETWEEN 0 AND 150),
    "self" TEXT,
    "名前" TEXT,
    "…" TEXT,
    created DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    changed DATETIME,
    seen DATETIME,
    born DATE,
    wakes TIME,
    untyped,
    mixed,
    tags JSON,
    shout TEXT GENERATED ALWAYS AS (upper("type"))
);
CREATE INDEX users_by_age ON users (age, "type");
CREATE INDEX users_by_rating ON users (rating);
CREATE TRIGGER users_changed AFTER UPDATE ON users BEGIN
    UPDATE users SET changed = CURRENT_TIMESTAMP WHERE id = new.id AND changed IS NOT new.changed;
END;
CREATE TABLE "options" (
    region VARCHAR(2) NOT NULL,
    number INTEGER NOT NULL,
    "user" INTEGER REFERENCES users (id) ON DELETE SET NULL,
    PRIMARY KEY (region, number)
) WITHOUT ROWID;
CREATE TABLE choices (
    code TEXT NOT NULL UNIQUE,
    region VARCHAR(2),
    number INTEGER,
    login TEXT REFERENCES users ("E-Mail") ON DELETE CASCADE,
    FOREIGN KEY (region, number) REFERENCES options
);
CREATE TABLE replaced (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE);
CREATE TABLE "type" (
    id INTEGER PRIMARY KEY, definition TEXT, "fn" TEXT, crate TEXT, "A b" TEXT, "a-b" TEXT, "null" TEXT, "2" TEXT, names TEXT
);
CREATE TABLE heap (value TEXT);
CREATE TABLE "gen" (id INTEGER PRIMARY KEY, "gen" TEXT, "Self" TEXT, "super" TEXT, "a
`b` <c>" TEXT);
CREATE TABLE resource_runtime (id INTEGER PRIMARY KEY, gen_id INTEGER REFERENCES "gen");
CREATE TABLE std (id INTEGER PRIMARY KEY, day DATE);
CREATE TABLE chrono (id INTEGER PRIMARY KEY, day DATE);
CREATE TABLE "String" (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE vec (id INTEGER PRIMARY KEY, value BLOB);
CREATE TABLE box (id INTEGER PRIMARY KEY, kind TEXT CHECK (kind IN ('box_a', 'box_b', 'box_c')));
CREATE TABLE v1_0 (id INTEGER PRIMARY KEY);
CREATE TABLE errors (id INTEGER PRIMARY KEY);
CREATE TABLE user_type (id INTEGER PRIMARY KEY);
CREATE TABLE user_page (id INTEGER PRIMARY KEY);
CREATE TABLE "*/ `[x]` <b>" (id INTEGER PRIMARY KEY);
CREATE TABLE accounts (
    tenant INTEGER NOT NULL,
    number INTEGER NOT NULL,
    pin INTEGER,
    shipping TEXT,
    weight REAL CHECK (weight > 0 AND weight < 1e400),
    rate DECIMAL(4, 2) CHECK (rate >= 0.07),
    state TEXT CHECK (state IN ('', 'open')),
    PRIMARY KEY (tenant, number)
);
CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    source INTEGER NOT NULL,
    target_id INTEGER,
    FOREIGN KEY (tenant, source) REFERENCES accounts ON DELETE CASCADE,
    FOREIGN KEY (tenant, target_id) REFERENCES accounts
);
CREATE INDEX transfers_by_source ON transfers (tenant, source);
CREATE INDEX transfers_by_target ON transfers (tenant, target_id);
CREATE TABLE wide (
    a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER, f INTEGER, g INTEGER, h INTEGER, i INTEGER,
    PRIMARY KEY (a, b, c, d, e, f, g, h, i)
);
CREATE TABLE amounts (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    amount NUMERIC(10, 2),
    cents MONEY,
    exact DECIMAL,
    tiny DECIMAL(30, 20),
    day DATETIME,
    paid BOOLEAN,
    flag BOOLEAN DEFAULT 'f',
    is_open BOOLEAN DEFAULT '1',
    stamp DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    loose
);
INSERT INTO amounts VALUES
    (1, 'a', 1.5, 12.5, 12345678.12345678, 0.25, '2024-02-30 00:00:00', 't', NULL, 1, NULL, 7),
    (2, 'b', 2, 3, 1, NULL, NULL, 'f', NULL, 0, NULL, 8);
CREATE VIEW sums AS SELECT kind, sum(amount) AS total, avg(amount) / 7 AS mean, count(*) AS amounts FROM amounts GROUP BY kind;
CREATE VIEW loosened AS SELECT id, loose FROM amounts;
CREATE TABLE teams (tenant INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT, PRIMARY KEY (tenant, number));
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    home INTEGER,
    FOREIGN KEY (tenant, home) REFERENCES teams ON DELETE SET NULL
);
CREATE TABLE codes (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
CREATE TABLE coded (id INTEGER PRIMARY KEY, code TEXT REFERENCES codes (code) ON UPDATE CASCADE ON DELETE SET NULL);
CREATE VIRTUAL TABLE words USING fts5 (body);
CREATE VIEW active_users AS SELECT id, "E-Mail" AS email, password_hash, age * 1.5 AS more FROM users WHERE is_active;
CREATE VIEW ages AS SELECT age, count(*) AS users FROM users GROUP BY age;
CREATE VIEW repeated AS SELECT 1 AS id, 'a' AS name UNION ALL SELECT 1, 'b';
INSERT INTO users ("E-Mail", password_hash, "type", rating, age, changed, seen, untyped, mixed, born, wakes) VALUES
    ('ann@example.org', 'x', 'guest', 4.125, 40, '2024-02-29T07:08:09Z', '2024-02-29 07:08:09', 7, 7, '1984-02-29', '07:08:09'),
    ('bob@example.org', 'y', 'power_user', 3, 50, '2024-02-29T07:08:09Z', '2024-02-29', 8, 'seven', '2000-01-01', NULL);
