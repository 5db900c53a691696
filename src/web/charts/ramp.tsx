import classes from './ramp.module.css';

/** The steps of the one ramp from blue to grey, in which parts of a whole are drawn. */
export const rampTones = ['chart-1', 'heat-2', 'heat-1', 'reference', 'heat-0'] as const;
export type RampTone = (typeof rampTones)[number];

/** For what is drawn in a step of the ramp. */
export const rampClass = (tone: RampTone): string => `${classes.part} ${classes[tone]}`;

/** A step of the ramp beside its word. */
export function RampSwatch({ tone }: { readonly tone: RampTone }) {
  return <span className={`${classes.swatch} ${classes[tone]}`} aria-hidden="true" />;
}
