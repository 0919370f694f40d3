/** The version of the program, which is that of its package. */
export const version = '0.0.0';

/** The minor version of Kubernetes whose flags, names and defaults it has. */
export const kubernetesVersion = '1.36';
