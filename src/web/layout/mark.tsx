/** The product's mark: a branch that merges into a small lamp. Decorative: the name stands beside it. In the page, so that no slow file holds it up. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 22 22" width={size} height={size} aria-hidden="true">
      <rect width="22" height="22" rx="5.5" fill="#171d2e" />
      <path
        d="M7 6.8v8.4M7 8.6c.5 3.6 3.2 5.2 6.6 5.2"
        fill="none"
        stroke="#a9c1ff"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <circle cx="7" cy="6" r="1.7" fill="#a9c1ff" />
      <circle cx="7" cy="16" r="1.7" fill="#a9c1ff" />
      <circle cx="15.2" cy="13.8" r="4.2" fill="#ffc861" opacity=".28" />
      <circle cx="15.2" cy="13.8" r="2.1" fill="#ffc861" />
    </svg>
  );
}
