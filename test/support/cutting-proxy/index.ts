export { CuttingProxy, type Fate } from './cutting-proxy.ts';
export type { Exchange } from './exchange.ts';
export { type Interference, Interferences } from './interference.ts';
