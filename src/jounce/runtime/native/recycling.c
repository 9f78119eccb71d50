/* NumPy's allocation handler that keeps freed blocks for the next results; see recycling.py.
 *
 * No function waits: a pool that another thread is using is passed over. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t size);
void free(void *memory);
void *memset(void *to, int value, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);

enum {
    MIN_BLOCK_BYTES = 48 << 10, /* smaller ones are not kept, as allocators keep them themselves */
    MAX_BLOCKS = 64,
    MIN_HUGE_BYTES = 3 << 19, /* from here on, blocks begin on a huge page */
    HUGE_PAGE_BYTES = 2 << 20,
    CACHE_LINE_BYTES = 64,
    MADV_HUGEPAGE = 14,
};

typedef struct {
    void *data;
    size_t size;
} Block;

/* recycling.py: _PoolData */
typedef struct {
    _Atomic int64_t busy; /* whether a thread is using it */
    int64_t bytes;        /* of all blocks that are kept */
    int64_t count;
    int64_t limit;        /* largest number of bytes to keep */
    int32_t (*madvise)(void *data, size_t size, int32_t advice); /* the system's, or null */
    Block blocks[MAX_BLOCKS];                                    /* oldest first */
} Pool;

/* In front of the data of every block. */
typedef struct {
    void *allocated; /* what malloc returned */
    size_t size;     /* of the data */
} Head;

static Head *head_of(void *data) { return (Head *)data - 1; }

static int try_lock(Pool *pool) {
    return !atomic_exchange_explicit(&pool->busy, 1, memory_order_acquire);
}

static void unlock(Pool *pool) { atomic_store_explicit(&pool->busy, 0, memory_order_release); }

static size_t round_up(size_t size, size_t multiple) { return (size + multiple - 1) & -multiple; }

static void *remove_block(Pool *pool, int64_t k) {
    void *data = pool->blocks[k].data;
    pool->bytes -= pool->blocks[k].size;
    pool->count--;
    memmove(pool->blocks + k, pool->blocks + k + 1, (pool->count - k) * sizeof(Block));
    return data;
}

/* Free all blocks that are kept; return how many bytes. */
int64_t jounce_release(Pool *pool) {
    if (!try_lock(pool)) return 0;
    int64_t bytes = pool->bytes;
    while (pool->count) free(head_of(remove_block(pool, pool->count - 1))->allocated);
    unlock(pool);
    return bytes;
}

/* Return the newest block that fits and is at most a quarter larger, or null. */
static void *find_block(Pool *pool, size_t size) {
    void *found = NULL;
    if (!try_lock(pool)) return NULL;
    for (int64_t k = pool->count - 1; k >= 0 && !found; k--) {
        size_t has = pool->blocks[k].size;
        if (has >= size && has <= size + size / 4) found = remove_block(pool, k);
    }
    unlock(pool);
    return found;
}

void *jounce_malloc(Pool *pool, size_t size) {
    void *kept = size >= MIN_BLOCK_BYTES ? find_block(pool, size) : NULL;
    if (kept) return kept;
    size_t grain = size >= MIN_HUGE_BYTES ? HUGE_PAGE_BYTES : CACHE_LINE_BYTES;
    size_t room = round_up(size, grain);
    if (4 * (room - size) > size) room = round_up(size, CACHE_LINE_BYTES); /* wastes a quarter */
    size_t all = room + grain + sizeof(Head);
    void *allocated = malloc(all);
    if (!allocated) {
        jounce_release(pool);
        allocated = malloc(all);
        if (!allocated) return NULL;
    }
    void *data = (void *)(((uintptr_t)allocated + grain + sizeof(Head) - 1) & -grain);
    *head_of(data) = (Head){allocated, room};
    if (size >= MIN_HUGE_BYTES && pool->madvise) pool->madvise(data, room, MADV_HUGEPAGE);
    return data;
}

/* Keep the block, and free the oldest ones if these are too many. */
void jounce_free(Pool *pool, void *data, size_t size) {
    if (!data) return;
    size = head_of(data)->size;
    if (size < MIN_BLOCK_BYTES || size > (size_t)pool->limit || !try_lock(pool)) {
        free(head_of(data)->allocated);
        return;
    }
    while (pool->bytes + (int64_t)size > pool->limit || pool->count == MAX_BLOCKS)
        free(head_of(remove_block(pool, 0))->allocated);
    pool->blocks[pool->count++] = (Block){data, size};
    pool->bytes += size;
    unlock(pool);
}

void *jounce_calloc(Pool *pool, size_t count, size_t size) {
    void *data = jounce_malloc(pool, count * size);
    return data ? memset(data, 0, count * size) : NULL;
}

void *jounce_realloc(Pool *pool, void *data, size_t size) {
    if (!data) return jounce_malloc(pool, size);
    size_t has = head_of(data)->size;
    if (size <= has && size >= has / 2) return data;
    void *moved = jounce_malloc(pool, size);
    if (moved) {
        memcpy(moved, data, size < has ? size : has);
        jounce_free(pool, data, has);
    }
    return moved;
}
