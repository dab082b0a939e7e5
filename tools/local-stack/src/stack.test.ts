import { expect, test } from "vitest";
import { formatAddressTable, withoutPassword } from "./stack.js";

test("the address table aligns the addresses and ends with the last one", () => {
  const table = formatAddressTable([
    { name: "PostgreSQL", address: "postgresql://127.0.0.1:8501/parley" },
    { name: "Parley", address: "http://localhost:8080" },
  ]);
  expect(table).toBe("  PostgreSQL  postgresql://127.0.0.1:8501/parley\n  Parley      http://localhost:8080");
});

test("the address table shows no password", () => {
  expect(withoutPassword("postgresql://parley:secret@db:5432/parley")).toBe("postgresql://parley@db:5432/parley");
  expect(withoutPassword("redis://:secret@127.0.0.1:1")).toBe("redis://127.0.0.1:1");
  expect(withoutPassword("nats-1:4222,nats-2:4222")).not.toContain("secret");
});
