export type { ColumnOf } from "./columns/column-plan.js";
export {
  createWarehouseFunction,
  type GatewayReply,
  type RedshiftFunctionOptions,
  type SnowflakeFunctionOptions,
} from "./create-warehouse-function.js";
export { createWarehouseHandler } from "./create-warehouse-handler.js";
export type { EmitOption, WarehouseHttpOptions, WarehouseOptions } from "./options.js";
export type { Emit, Engine, WarehouseBatch } from "./protocols/protocol.js";
