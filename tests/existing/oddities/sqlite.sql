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
CREATE VIEW active_users AS SELECT id, "E-Mail" AS email, password_hash, age * 1.5 AS more FROM users WHERE is_active;
CREATE VIEW ages AS SELECT age, count(*) AS users FROM users GROUP BY age;
INSERT INTO users ("E-Mail", password_hash, "type", rating, age, changed, seen, untyped, mixed, born, wakes) VALUES
    ('ann@example.org', 'x', 'guest', 4.125, 40, '2024-02-29T07:08:09Z', '2024-02-29 07:08:09', 7, 7, '1984-02-29', '07:08:09'),
    ('bob@example.org', 'y', 'power_user', 3, 50, '2024-02-29T07:08:09Z', '2024-02-29', 8, 'seven', '2000-01-01', NULL);
