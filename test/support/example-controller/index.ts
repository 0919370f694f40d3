export { planStack, StackLabelController } from './controller.ts';
export { stackLabel } from './declaration.ts';
