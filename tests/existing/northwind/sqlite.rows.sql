-- Rows of every table, some of them as programs wrote them that did not agree.
INSERT INTO [Categories] VALUES (1, 'Beverages', 'Soft drinks, teas', x'151c2f00'), (2, 'Produce', NULL, NULL),
    (3, 'Seafood', '', x''), (4, 'Condiments', 'Sweet and savoury', NULL), (5, 'Meat/Poultry', NULL, NULL);
INSERT INTO [CustomerDemographics] VALUES ('large', 'Orders often'), ('small', NULL), ('a, b', 'Comma'), ('50%/2C', ''), ('ö', NULL);
INSERT INTO [Customers] ([CustomerID], [CompanyName], [City], [Country]) VALUES ('ALFKI', 'Alfreds', 'Berlin', 'Germany'),
    ('ANATR', 'Ana''s', 'México D.F.', 'Mexico'), ('BOLID', 'alfreds', NULL, 'Spain'), ('a/b %', 'Odd', 'Graz', 'Austria'),
    ('FRANK', 'Frankenversand', 'München', 'Germany');
INSERT INTO [Customer Customer Demo] SELECT c.[CustomerID], d.[CustomerTypeID] FROM [Customers] c, [CustomerDemographics] d
    WHERE c.[City] <> 'Graz' OR d.[CustomerTypeID] <> 'large';
INSERT INTO [Employees] ([EmployeeID], [LastName], [FirstName], [BirthDate], [HireDate], [Photo], [ReportsTo], [PasswordHash]) VALUES
    (1, 'Dahl', 'Nia', '1968-12-08', '2012-05-01 00:00:00', x'ffd8ff', 2, 'never shown'), (2, 'Fell', 'Ann', '1952-02-19', '2012-08-14 09:30:00', NULL, NULL, NULL),
    (3, 'Levi', 'Jo', NULL, '2012-04-01 00:00:00', NULL, 2, NULL), (4, 'Pea', 'Mo', '1958-09-19', NULL, NULL, 3, ''),
    (5, 'Bux', 'Stu', '1955-03-04', '2013-10-17 00:00:00', NULL, 5, NULL);
INSERT INTO [Region] VALUES (1, 'Eastern'), (2, 'Western'), (3, 'Northern'), (4, 'Southern'), (-1, 'Nowhere');
INSERT INTO [Territories] VALUES ('01581', 'Westboro', 1), ('02116', 'Boston', 1), ('80202', 'Denver', 2), ('48084', 'Troy', 3), ('30346', 'Atlanta', 4);
INSERT INTO [EmployeeTerritories] SELECT [EmployeeID], [TerritoryID] FROM [Employees], [Territories] WHERE [EmployeeID] + [RegionID] > 3;
INSERT INTO [Shippers] ([CompanyName]) VALUES ('Speedy'), ('United'), ('Federal'), ('Slow'), ('');
INSERT INTO [Suppliers] ([CompanyName], [Country], [HomePage]) VALUES ('Exotic Liquids', 'UK', '#http://example.org#'), ('Ma Maison', 'Canada', NULL),
    ('日本', 'Japan', NULL), ('Zaanse', NULL, NULL), ('Leka', 'Singapore', NULL);
INSERT INTO [Products] ([ProductName], [SupplierID], [CategoryID], [UnitPrice], [UnitsInStock], [Weight], [Discontinued]) VALUES
    ('Chai', 1, 1, 18, 39, 0.1, 0), ('Chang', 1, 1, 19.5, 17, 1e300, 0), ('Konbu', 3, 3, 6.05, 24, NULL, 0), ('Tofu', 3, 2, NULL, 0, -0.0, 1),
    ('Sirop', NULL, NULL, 0, 113, 5e-324, 0), ('Pâté', 2, 5, 123.79, 115, 2, 1);
INSERT INTO [Orders] ([OrderID], [CustomerID], [EmployeeID], [OrderDate], [RequiredDate], [ShippedDate], [ShipVia], [Freight]) VALUES
    (10248, 'ALFKI', 1, '2016-07-04 00:00:00', '2016-08-01', '2016-07-16 00:00:00', 3, 32.38), (10249, 'ANATR', 2, '2016-07-05 10:20:30', '2016-08-16', '2016-07-10T00:00:00Z', 1, 11),
    (10250, NULL, 4, '2016-07-08 00:00:00', NULL, NULL, 2, 65.825), (10251, 'a/b %', NULL, NULL, '2016-08-05', '2016-07-15', NULL, 0), (10252, 'FRANK', 5, '2016-07-09 23:59:59', NULL, NULL, NULL, NULL);
INSERT INTO [Order Details] SELECT [OrderID], [ProductID], round(coalesce([UnitPrice], 1) * 0.8, 4), [ProductID] * 2, [ProductID] / 8.0
    FROM [Orders], [Products] WHERE ([OrderID] + [ProductID]) % 2 = 0;
INSERT INTO [Order Notes] ([OrderID], [ProductID], [Note]) SELECT [OrderID], [ProductID], 'Note ' || [Quantity] FROM [Order Details] WHERE [ProductID] < 4;
INSERT INTO [Imported Lines] VALUES ('a', NULL), ('b', '2016-07-04');
INSERT INTO [Price.List] VALUES ('A-1', 1.5, '2016-07-04 00:00:00', 2.5, 1, 'open'), ('A-2', 0.1 + 0.2, '2016-07-04T00:00:00', 1e9, 'two', NULL),
    ('A,3', NULL, NULL, NULL, NULL, 'closed'), ('ä%2', 0.005, '2016-07-04', -0.01, x'00', 'open'), ('~', 99999999.99, NULL, 0, 2.5, 'open');
