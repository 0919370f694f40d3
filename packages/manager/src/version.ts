/** The version of the program, as its package has it. */
export const version = '0.0.0';

/** The minor version of Kubernetes whose flags, names and defaults it has. */
export const kubernetesVersion = '1.36';
