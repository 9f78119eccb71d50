/* What exported CUDA needs of the CUDA runtime, on the processor: a thread of the system for each
 * thread of a block, one block after the other; memory of the device is the program's own.
 */

#ifndef JOUNCE_CUDA_ON_HOST_H
#define JOUNCE_CUDA_ON_HOST_H

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __shared__ static

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef struct cuda_stream *cudaStream_t;

struct dim3 {
    unsigned int x, y, z;
    dim3(unsigned int x, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};

inline thread_local dim3 threadIdx(0), blockIdx(0);
inline pthread_barrier_t block_barrier;

inline void __syncthreads() { pthread_barrier_wait(&block_barrier); }

/* A thread of a block: its place, and the kernel with its arguments. */
template <typename... P> struct Thread {
    void (*kernel)(P...);
    void **arguments;
    dim3 own, block;

    template <size_t... I> void call(std::index_sequence<I...>)
    {
        kernel(*static_cast<P *>(arguments[I])...);
    }

    static void *run(void *given)
    {
        Thread *thread = static_cast<Thread *>(given);
        threadIdx = thread->own, blockIdx = thread->block;
        thread->call(std::index_sequence_for<P...>());
        return nullptr;
    }
};

template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                             size_t, cudaStream_t)
{
    const size_t most = 1024;
    pthread_t threads[most];
    Thread<P...> *given = static_cast<Thread<P...> *>(malloc(most * sizeof(Thread<P...>)));

    if (given == nullptr || block.x > most)
        abort();
    for (unsigned int at = 0; at < grid.x; ++at) {
        pthread_barrier_init(&block_barrier, nullptr, block.x);
        for (unsigned int own = 0; own < block.x; ++own) {
            given[own] = {kernel, arguments, dim3(own), dim3(at)};
            if (pthread_create(&threads[own], nullptr, Thread<P...>::run, &given[own]) != 0)
                abort();
        }
        for (unsigned int own = 0; own < block.x; ++own)
            pthread_join(threads[own], nullptr);
        pthread_barrier_destroy(&block_barrier);
    }
    free(given);
    return cudaSuccess;
}

inline cudaError_t cudaMallocManaged(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

inline cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

inline const char *cudaGetErrorString(cudaError_t) { return "an error of CUDA on the host"; }

#endif
