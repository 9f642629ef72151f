// What @hey-api/openapi-ts generates is checked, and not run, as it needs a bundler: an id is a number, and so is a code.
import { listAddress, retrieveAddress } from "./hey/index.js";
import type { ErrorCode } from "./hey/index.js";

const { data } = await listAddress({ query: { limit: 1 } });
export const ids: number[] | undefined = data?.items.map((address) => address.id);
const { error } = await retrieveAddress({ path: { id: 1 } });
export const code: ErrorCode | undefined = typeof error === "object" ? error.error_code : undefined;
