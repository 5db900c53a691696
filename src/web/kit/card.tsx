import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title: ReactNode;
  /** Window or count in small words beside the title. */
  readonly caption?: ReactNode;
  /** Links, segmented controls, fields at the right of the head. */
  readonly controls?: ReactNode;
  /** What is counted, a key, or a link. */
  readonly foot?: ReactNode;
  /** Lets tables run edge to edge. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** The one card of the product: a section headed by an h2. */
export function Card({ title, caption, controls, foot, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id}>{title}</h2>
        {caption !== undefined && <span className={classes.caption}>{caption}</span>}
        {controls !== undefined && <div className={classes.controls}>{controls}</div>}
      </header>
      <div className={`${classes.body} ${flush ? classes.flush : ''}`}>{children}</div>
      {foot && <footer className={classes.foot}>{foot}</footer>}
    </section>
  );
}

/** A card without a head, for strips of figures and plain panels. `label` names it for assistive technology. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes.card} aria-label={label}>
      {children}
    </section>
  );
}

/** One card split by inset hairlines into figures. */
export function Strip({ children }: { children: ReactNode }) {
  return <div className={classes.strip}>{children}</div>;
}

/** One figure of a strip: its label, then the figure, its change and whatever follows. */
export function StripCell({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.cell} data-tips>
      <div className={classes.label}>{label}</div>
      {children}
    </div>
  );
}
