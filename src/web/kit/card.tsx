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
  /** What it shows answers the question before this one: all but the head's title and controls is faded. */
  readonly outdated?: boolean;
  readonly children: ReactNode;
}

/** The one card of the product: a section headed by an h2. */
export function Card({ title, caption, controls, foot, flush = false, outdated, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id} data-outdated={outdated || undefined}>
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

interface PanelProps {
  /** Names it for assistive technology. */
  readonly label: string;
  /** What it shows answers the question before this one. */
  readonly outdated?: boolean;
  readonly children: ReactNode;
}

/** A card without a head, for strips of figures and plain panels. */
export function Panel({ label, outdated, children }: PanelProps) {
  return (
    <section className={classes.card} aria-label={label} data-outdated={outdated || undefined}>
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
