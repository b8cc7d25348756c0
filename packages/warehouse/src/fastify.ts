export { type WarehousePluginOptions, warehousePlugin } from "./warehouse-plugin.js";
