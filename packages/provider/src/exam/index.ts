export type { Claim } from './claim.ts';
export { claims, type ExamCase, examine } from './examine.ts';
export type { InstanceOrder, Lab, RouteLab } from './lab.ts';
