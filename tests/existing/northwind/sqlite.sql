-- A wholesaler of food, with the names, types and keys of the well-known sample as SQLite has it, and with more of what
-- such files have.
CREATE TABLE [Categories] (
    [CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [CategoryName] TEXT,
    [Description] TEXT,
    [Picture] BLOB
);
CREATE TABLE [CustomerDemographics] (
    [CustomerTypeID] TEXT NOT NULL,
    [CustomerDesc] TEXT,
    PRIMARY KEY ([CustomerTypeID])
);
-- A text as the key of a table that is not `STRICT` may be null, even twice.
CREATE TABLE [Customers] (
    [CustomerID] CHAR(5) PRIMARY KEY,
    [CompanyName] NVARCHAR(40) NOT NULL COLLATE NOCASE,
    [ContactName] NVARCHAR(30),
    [ContactTitle] NVARCHAR(30),
    [Address] NVARCHAR(60),
    [City] NVARCHAR(15),
    [Region] NVARCHAR(15),
    [PostalCode] NVARCHAR(10),
    [Country] NVARCHAR(15),
    [Phone] NVARCHAR(24),
    [Fax] NVARCHAR(24)
);
CREATE INDEX [Customers_City] ON [Customers] ([City]);
CREATE INDEX [Customers_Company] ON [Customers] ([CompanyName]);
CREATE TABLE [Customer Customer Demo] (
    [CustomerID] CHAR(5) NOT NULL,
    [CustomerTypeID] TEXT NOT NULL,
    PRIMARY KEY ([CustomerID], [CustomerTypeID]),
    FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]) ON DELETE NO ACTION ON UPDATE NO ACTION,
    FOREIGN KEY ([CustomerTypeID]) REFERENCES [CustomerDemographics] ([CustomerTypeID])
);
CREATE TABLE [Employees] (
    [EmployeeID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [LastName] TEXT NOT NULL,
    [FirstName] TEXT NOT NULL,
    [Title] TEXT,
    [BirthDate] DATE,
    [HireDate] DATETIME,
    [HomePhone] TEXT,
    [Photo] BLOB,
    [Notes] TEXT,
    [ReportsTo] INTEGER REFERENCES [Employees] ([EmployeeID]) ON DELETE SET NULL ON UPDATE CASCADE,
    [PasswordHash] TEXT,
    [FullName] TEXT GENERATED ALWAYS AS ([FirstName] || ' ' || [LastName]) VIRTUAL
);
CREATE TABLE [Region] ([RegionID] INTEGER NOT NULL PRIMARY KEY, [RegionDescription] TEXT NOT NULL);
CREATE TABLE [Territories] (
    [TerritoryID] TEXT NOT NULL PRIMARY KEY,
    [TerritoryDescription] TEXT NOT NULL,
    [RegionID] INTEGER NOT NULL REFERENCES [Region] ([RegionID])
);
CREATE TABLE [EmployeeTerritories] (
    [EmployeeID] INTEGER NOT NULL REFERENCES [Employees] ([EmployeeID]) ON DELETE CASCADE,
    [TerritoryID] TEXT NOT NULL REFERENCES [Territories] ([TerritoryID]) ON DELETE CASCADE,
    PRIMARY KEY ([EmployeeID], [TerritoryID])
) WITHOUT ROWID;
CREATE TABLE [Shippers] ([ShipperID] INTEGER PRIMARY KEY AUTOINCREMENT, [CompanyName] TEXT NOT NULL, [Phone] TEXT);
CREATE TABLE [Suppliers] (
    [SupplierID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [CompanyName] TEXT NOT NULL,
    [Country] TEXT,
    [HomePage] TEXT
);
CREATE TABLE [Products] (
    [ProductID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [ProductName] TEXT NOT NULL,
    [SupplierID] INTEGER REFERENCES [Suppliers] ([SupplierID]),
    [CategoryID] INTEGER REFERENCES [Categories] ([CategoryID]),
    [QuantityPerUnit] TEXT,
    [UnitPrice] NUMERIC DEFAULT 0 CHECK ([UnitPrice] >= (0)),
    [UnitsInStock] SMALLINT DEFAULT 0 CHECK ([UnitsInStock] >= (0)),
    [UnitsOnOrder] INTEGER DEFAULT 0,
    [ReorderLevel] INTEGER DEFAULT 0,
    [Weight] REAL,
    [Discontinued] BOOLEAN NOT NULL DEFAULT 0
);
CREATE TRIGGER [never_negative] BEFORE UPDATE OF [UnitsOnOrder] ON [Products] WHEN new.[UnitsOnOrder] < 0 BEGIN
    SELECT RAISE(ABORT, 'nothing is on order');
END;
CREATE TRIGGER [ignored] BEFORE INSERT ON [Products] WHEN new.[ProductName] = '' BEGIN SELECT RAISE(IGNORE); END;
CREATE TABLE [Orders] (
    [OrderID] INTEGER PRIMARY KEY AUTOINCREMENT,
    [CustomerID] CHAR(5) REFERENCES [Customers] ([CustomerID]),
    [EmployeeID] INTEGER REFERENCES [Employees] ([EmployeeID]) DEFERRABLE INITIALLY DEFERRED,
    [OrderDate] DATETIME,
    [RequiredDate] DATETIME,
    [ShippedDate] DATETIME,
    [Shipped] DATETIME GENERATED ALWAYS AS (strftime('%Y-%m-%d %H:%M:%S', [ShippedDate])) STORED,
    [ShipVia] INTEGER REFERENCES [Shippers] ([ShipperID]),
    [Freight] NUMERIC DEFAULT 0,
    [ShipName] TEXT
);
CREATE TABLE [Order Details] (
    [OrderID] INTEGER NOT NULL REFERENCES [Orders] ([OrderID]) ON DELETE CASCADE,
    [ProductID] INTEGER NOT NULL REFERENCES [Products] ([ProductID]),
    [UnitPrice] NUMERIC(10,4) NOT NULL DEFAULT 0,
    [Quantity] INTEGER NOT NULL DEFAULT 1 CHECK ([Quantity] > (0)),
    [Discount] REAL NOT NULL DEFAULT 0 CHECK ([Discount] >= (0) AND [Discount] <= 1),
    PRIMARY KEY ([OrderID], [ProductID])
);
-- A reference to both parts of that key, and a row for each detail at most.
CREATE TABLE [Order Notes] (
    [OrderID] INTEGER NOT NULL,
    [ProductID] INTEGER NOT NULL,
    [Note] VARCHAR(80) NOT NULL,
    [Extra] JSONB,
    PRIMARY KEY ([OrderID], [ProductID]),
    FOREIGN KEY ([OrderID], [ProductID]) REFERENCES [Order Details] ([OrderID], [ProductID]) ON DELETE CASCADE
);
-- No key, one that is unique alone, and columns of which rows alone tell something.
CREATE TABLE [Imported Lines] ([Line] TEXT, [At] DATETIME);
CREATE TABLE [Price.List] (
    "SKU" VARCHAR(12) NOT NULL UNIQUE,
    "say ""price""" MONEY,
    [valid, from] DATETIME,
    [amount] NUMERIC(12,2),
    [anything],
    [状態] TEXT CHECK ([状態] IN ('open', 'closed'))
);
CREATE VIEW [Alphabetical list of products] AS
    SELECT [Products].*, [Categories].[CategoryName] FROM [Products] JOIN [Categories] USING ([CategoryID])
    WHERE NOT [Products].[Discontinued];
CREATE VIEW [Order Subtotals] AS
    SELECT [OrderID], round(sum([UnitPrice] * [Quantity] * (1 - [Discount])), 2) AS [Subtotal] FROM [Order Details]
    GROUP BY [OrderID];
