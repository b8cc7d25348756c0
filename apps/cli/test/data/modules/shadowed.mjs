import { loan, shadowed } from "./loan.mjs";

export default { decisions: [loan(), shadowed], profiles: { loan: { small: 100 } } };
