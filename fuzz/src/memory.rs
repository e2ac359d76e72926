//! An allocator that counts what one thread allocates, and refuses what nothing here should ask for. Also for `tests/fuzz_corpus.rs`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One allocation of more fails, which ends the process. The largest frame has half as many.
const MOST_AT_ONCE: usize = 512 << 20;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// What was allocated by another thread is freed here too, so the count may pass below zero.
fn count(more: usize, less: usize) {
    let live = LIVE.get().wrapping_add(more);
    PEAK.set(PEAK.get().max(live));
    LIVE.set(live.wrapping_sub(less));
}

// SAFETY: every call goes to the system's allocator as it came, or allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST_AT_ONCE {
            return std::ptr::null_mut();
        }
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST_AT_ONCE {
            return std::ptr::null_mut();
        }
        count(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > MOST_AT_ONCE {
            return std::ptr::null_mut();
        }
        count(size, layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs a target on one input, and panics if it took more memory than it may.
pub fn run(target: &cqlwire::fuzzing::Target, input: &[u8]) {
    const HALF: usize = usize::MAX / 2; // so that the count stays above zero
    LIVE.set(HALF);
    PEAK.set(HALF);
    let bytes = (target.run)(input);
    let peak = PEAK.get() - HALF;
    let most = cqlwire::fuzzing::MEMORY_AT_LEAST + bytes * target.memory;
    assert!(peak <= most, "{}: {peak} bytes of memory for {bytes} bytes; {most} are enough", target.name);
}
