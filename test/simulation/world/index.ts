export type { Sabotage } from './sabotage.ts';
export { runWorld, type WorldEnd } from './world.ts';
