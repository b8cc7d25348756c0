export type { Engine, WarehouseBatch } from "./batch/warehouse-batch.js";
export type { ColumnOf } from "./columns/column-of.js";
export {
  createWarehouseFunction,
  type GatewayReply,
  type RedshiftFunctionOptions,
  type SnowflakeFunctionOptions,
} from "./create-warehouse-function.js";
export { createWarehouseHandler } from "./create-warehouse-handler.js";
export type { EmitOption, WarehouseHttpOptions, WarehouseOptions } from "./options.js";
export type { Emit } from "./protocols/protocol.js";
